import { isIP } from 'node:net'

/** One caller may own a whole IPv6 network: the first four groups count, whatever the rest. */
export function networkOf(address: string): string {
  const text = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  if (!text.includes(':')) return text
  const [head = '', tail = ''] = text.split('::')
  const groups = head.split(':').filter(Boolean)
  const ending = text.includes('::') ? tail.split(':').filter(Boolean) : []
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - ending.length) }, () => '0')
  return [...groups, ...zeros, ...ending].slice(0, 4).join(':')
}

/** An address, or a network like 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
