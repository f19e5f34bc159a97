-- Take a room: compare the fence, then raise it.
--
-- KEYS 1 meta
-- ARGV 1 node      who claims
--      2 fence     as the claimant saw it
--      3 token     of this call; the same call sent again finds it and answers as before
--      4 rewound   1 if history is known to be lost: raises the epoch too; else 0
--
-- Answers {'claimed', fence, epoch, seq}, {'lost', fence, node} or {'no_room'}.

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

epoch = epoch + ARGV[4]
redis.call('HSET', KEYS[1],
    'fence', fence + 1, 'epoch', epoch, 'node', ARGV[1], 'claim', ARGV[3])
return {'claimed', fence + 1, epoch, tonumber(seq)}
