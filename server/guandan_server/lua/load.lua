-- Read a room's head and snapshot at one instant.
--
-- KEYS 1 meta  2 snap
--
-- Answers {{field, value, …}, snapshot}. No room: the first is empty. The snapshot is nil if it
-- is missing.

return {redis.call('HGETALL', KEYS[1]), redis.call('GET', KEYS[2])}
