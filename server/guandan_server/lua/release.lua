-- Give a room up without waiting for a heartbeat to run out: anyone may claim it at once.
--
-- KEYS 1 meta
-- ARGV 1 fence
--
-- Answers {'released'}, {'stale_fence', fence} or {'no_room'}. The fence stays: our own late
-- commits, if any, are still ours to make until somebody claims.

local fence = redis.call('HGET', KEYS[1], 'fence')
if not fence then
    return {'no_room'}
end
if fence ~= ARGV[1] then
    return {'stale_fence', tonumber(fence)}
end
redis.call('HSET', KEYS[1], 'node', '')
return {'released'}
