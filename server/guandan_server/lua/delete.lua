-- Remove a room, if the caller owns it. Its records stay for their own time.
--
-- KEYS 1 meta  2 log  3 snap
-- ARGV 1 fence
--
-- Answers {'deleted'}, {'stale_fence', fence} or {'no_room'}.

local fence = redis.call('HGET', KEYS[1], 'fence')
if not fence then
    return {'no_room'}
end
if fence ~= ARGV[1] then
    return {'stale_fence', tonumber(fence)}
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
return {'deleted'}
