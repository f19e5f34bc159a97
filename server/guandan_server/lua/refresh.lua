-- Give a room more time.
--
-- KEYS 1 meta  2 log  3 snap
-- ARGV 1 ttl  seconds from now
--
-- Answers {'refreshed', public} or {'no_room'}.

local public = redis.call('HGET', KEYS[1], 'public')
if not public then
    return {'no_room'}
end
for i = 1, 3 do
    redis.call('EXPIRE', KEYS[i], ARGV[1])
end
return {'refreshed', tonumber(public)}
