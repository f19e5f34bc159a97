-- Append one entry: log, snapshot and head move together or not at all.
--
-- KEYS 1 meta  2 log  3 snap
--      4 recs  5 rec     only if a record comes along
-- ARGV 1 fence     under which the caller owns the room
--      2 seq       of this entry
--      3 entry     the log's bytes
--      4 snapshot  the whole state after it
--      5 sum       checksum of (seq, snapshot)
--      6 ttl       seconds, for meta, log and snap
--      7 seat      key of the seat that acted, or '' if nobody's counter is concerned
--      8 counter   of its action
--      9 digest    of its action
--     10 match     number of the record, 11 its bytes, 12 its seconds to live; or ''
--     13 trim      log entries up to this seq go; 0 keeps all
--     14…          seat keys whose counters are forgotten
--
-- Answers {'no_room'}, {'already', seq, fence}, {'conflict', counter, seq},
-- {'stale_fence', fence}, {'bad_seq', head} or {'ok', seq}.
--
-- All questions come before the first write, and the first write is one that a full, read-only
-- or broken server refuses: a script that fails has written nothing.

local fence, head, sum, mark =
    unpack(redis.call('HMGET', KEYS[1], 'fence', 'seq', 'sum', 'a:' .. ARGV[7]))
if not fence then
    return {'no_room'}
end
head = tonumber(head)

local behind = false
if mark then
    local counter, at, digest = string.match(mark, '^(%d+):(%d+):(%x+)$')
    counter, at = tonumber(counter), tonumber(at)
    if counter == tonumber(ARGV[8]) then
        if digest == ARGV[9] then
            return {'already', at, tonumber(fence)}
        end
        return {'conflict', counter, at}
    end
    if counter > tonumber(ARGV[8]) then
        behind = {'conflict', counter, at}
    end
end
-- Time-outs and bots have no counter. What tells their commit sent twice is that it stands at
-- the head: same owner, same number, same state.
if fence == ARGV[1] and head == tonumber(ARGV[2]) and sum == ARGV[5] then
    return {'already', head, tonumber(fence)}
end

if fence ~= ARGV[1] then
    return {'stale_fence', tonumber(fence)}
end
if tonumber(ARGV[2]) ~= head + 1 then
    return {'bad_seq', head}
end
if behind then
    return behind
end

redis.call('XADD', KEYS[2], ARGV[2] .. '-0', 'e', ARGV[3])
redis.call('SET', KEYS[3], ARGV[4], 'EX', ARGV[6])
redis.call('HSET', KEYS[1], 'seq', ARGV[2], 'sum', ARGV[5])
if ARGV[7] ~= '' then
    redis.call('HSET', KEYS[1],
        'a:' .. ARGV[7], ARGV[8] .. ':' .. ARGV[2] .. ':' .. ARGV[9])
end
for i = 14, #ARGV do
    redis.call('HDEL', KEYS[1], 'a:' .. ARGV[i])
end
if ARGV[13] ~= '0' then
    redis.call('XTRIM', KEYS[2], 'MINID', '=', (ARGV[13] + 1) .. '-0')
end
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[6])

if ARGV[10] ~= '' then
    redis.call('SET', KEYS[5], ARGV[11], 'EX', ARGV[12])
    redis.call('SADD', KEYS[4], ARGV[10])
    if redis.call('TTL', KEYS[4]) < tonumber(ARGV[12]) then
        redis.call('EXPIRE', KEYS[4], ARGV[12])
    end
end
return {'ok', tonumber(ARGV[2])}
