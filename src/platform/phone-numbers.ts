import { ConfigError } from './config-error.ts'
import { readPhone } from './phone.ts'
import type { Settings } from './settings.ts'

/** What the operator lists: which team may use which number. */
export function readPhoneNumbers(words: readonly string[]): Settings['phoneNumbers'] {
  if (words.length === 1 && words[0] === 'any') return 'any'
  const entries = words.map(entry => {
    const [, number, team] = /^([^=]+)=([0-9a-f]{24})$/.exec(entry) ?? []
    const read = number === undefined ? undefined : readPhone(number)
    if (team !== undefined && read && 'value' in read) return [read.value, team] as const
    throw new ConfigError(
      `PHONE_NUMBERS must be any, or entries like +4930123456=TEAM_ID separated by spaces, not ${entry}.`,
    )
  })
  const listed = new Map(entries)
  if (listed.size === entries.length) return listed
  throw new ConfigError('PHONE_NUMBERS lists the same number twice.')
}
