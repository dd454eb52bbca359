import { ConfigError } from './config-error.ts'

export const SESSION_SECRET_BYTES_MIN = 32
const SESSION_SECRET_ENTROPY_BITS_MIN = 128
const HOW = 'Generate one with: openssl rand -hex 32'

/** The keys of sessions and of everything sealed follow from it. */
export function sessionSecret(text: string): Buffer {
  const bytes = secretBytes('SESSION_SECRET', text)
  if (entropyBits(bytes) >= SESSION_SECRET_ENTROPY_BITS_MIN) return bytes
  throw new ConfigError(
    `SESSION_SECRET is too predictable: it repeats itself or has too few different bytes. ${HOW}, and keep the old one in SESSION_SECRET_PREVIOUS so that nobody is signed out.`,
  )
}

/** The one before may be weak: otherwise nobody could move away from it. */
export function previousSecret(text: string): Buffer {
  return secretBytes('SESSION_SECRET_PREVIOUS', text)
}

function secretBytes(name: string, text: string): Buffer {
  const bytes = /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length >= SESSION_SECRET_BYTES_MIN) return bytes
  throw new ConfigError(
    `${name} has ${bytes.length} bytes; at least ${SESSION_SECRET_BYTES_MIN} are required. ${HOW}`,
  )
}

/** An estimate: Shannon's entropy of a byte, times the length of the shortest piece that is repeated. */
function entropyBits(bytes: Buffer): number {
  const piece = bytes.subarray(0, shortestPeriod(bytes))
  const counts = new Map<number, number>()
  for (const byte of piece) counts.set(byte, (counts.get(byte) ?? 0) + 1)
  const perByte = [...counts.values()].map(count => (count / piece.length) * Math.log2(piece.length / count))
  return piece.length * perByte.reduce((sum, bits) => sum + bits, 0)
}

/** The last round may be cut short: `abcabca` repeats `abc`. */
function shortestPeriod(bytes: Buffer): number {
  for (let period = 1; period < bytes.length; period++)
    if (bytes.subarray(period).equals(bytes.subarray(0, bytes.length - period))) return period
  return bytes.length
}
