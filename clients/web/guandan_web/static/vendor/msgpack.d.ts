// The types of msgpack.js, for the checker only.
export { encode, decode } from "@msgpack/msgpack";
