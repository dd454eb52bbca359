/** E.164: whatever people put between the digits goes, and so does the 0 that is dialled only within a country. */
export function readPhone(text: string): { value: string } | { wrong: string } {
  const bare = text
    .replace(/^tel:/i, '')
    .replace(/^\s*(?:\+|00)/, '+')
    .replace(/^(\+[^(]*)\(0\)/, '$1')
    .replace(/[\s.\-–—/()\u00a0\u202f]/g, '')
  if (/^\+[1-9]\d{6,14}$/.test(bare)) return { value: bare }
  if (/^\d{4,15}$/.test(bare)) return { wrong: 'has no country code: write it like +4930123456' }
  return { wrong: 'is not a phone number: write it like +4930123456' }
}
