-- Make a room at seq 0, owned by its creator.
--
-- KEYS 1 meta  2 log  3 snap  4 recs
-- ARGV 1 node      who creates it
--      2 token     of this call; the same call sent again finds it and answers as before
--      3 snapshot  4 its checksum
--      5 public    1 or 0
--      6 ttl       seconds, for meta and snap (the log has no entry to expire yet)
--
-- Answers {'created', fence, epoch} or {'exists'}.
--
-- A code whose earlier room left records is not free: they would pass for the new room's.
--
-- The first fence is the server's time in milliseconds, not 1: an owner of an earlier room under
-- this code, who slept through its end, must not find a fence of that room valid in this one.

local fence, epoch, token = unpack(redis.call('HMGET', KEYS[1], 'fence', 'epoch', 'claim'))
if fence then
    if token == ARGV[2] then
        return {'created', tonumber(fence), tonumber(epoch)}
    end
    return {'exists'}
end
if redis.call('EXISTS', KEYS[4]) == 1 then
    return {'exists'}
end

local now = redis.call('TIME')
fence = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('SET', KEYS[3], ARGV[3], 'EX', ARGV[6])
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1],
    'fence', fence, 'epoch', 1, 'seq', 0,
    'node', ARGV[1], 'claim', ARGV[2], 'sum', ARGV[4], 'public', ARGV[5])
redis.call('EXPIRE', KEYS[1], ARGV[6])
return {'created', fence, 1}
