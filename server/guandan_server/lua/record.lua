-- Keep a finished match, outside of a commit.
--
-- KEYS 1 recs  2 rec
-- ARGV 1 match  number of the record
--      2 body   its bytes
--      3 ttl    seconds to live; the set of numbers lives at least as long
--
-- Answers {'saved'}.

redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
redis.call('SADD', KEYS[1], ARGV[1])
if redis.call('TTL', KEYS[1]) < tonumber(ARGV[3]) then
    redis.call('EXPIRE', KEYS[1], ARGV[3])
end
return {'saved'}
