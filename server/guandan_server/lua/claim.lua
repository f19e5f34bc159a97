-- Take a room: compare the fence, then raise it.
--
-- KEYS 1 meta
-- ARGV 1 node      who claims
--      2 fence     as the claimant saw it
--      3 token     of this call; the same call sent again finds it and answers as before
--      4 rewound   1 if history is known to be lost: raises the epoch too; else 0
--
-- Answers {'claimed', fence, epoch, seq}, {'lost', fence, node} or {'no_room'}.
--
-- The new fence is the server's time in milliseconds, unless the old one is beyond it: after a
-- failover that lost a claim, one more than the old would be a number that somebody already has.

local fence, epoch, seq, node, token =
    unpack(redis.call('HMGET', KEYS[1], 'fence', 'epoch', 'seq', 'node', 'claim'))
if not fence then
    return {'no_room'}
end
if token == ARGV[3] then
    return {'claimed', tonumber(fence), tonumber(epoch), tonumber(seq)}
end
if fence ~= ARGV[2] then
    return {'lost', tonumber(fence), node}
end

local now = redis.call('TIME')
fence = math.max(fence + 1, now[1] * 1000 + math.floor(now[2] / 1000))
epoch = epoch + ARGV[4]
redis.call('HSET', KEYS[1],
    'fence', fence, 'epoch', epoch, 'node', ARGV[1], 'claim', ARGV[3])
return {'claimed', fence, epoch, tonumber(seq)}
