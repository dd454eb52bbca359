import { expect, test } from 'vitest'
import { isSignedByTwilio, twilioSignature } from './twilio-signature.ts'

/** The example of Twilio's own documentation. */
const TOKEN = '12345'
const URL = 'https://mycompany.com/myapp.php?foo=1&bar=2'
const params = {
  Digits: '1234',
  To: '+18005551212',
  CallSid: 'CA1234567890ABCDE',
  Caller: '+14158675309',
  From: '+14158675309',
}
const SIGNATURE = 'RSOYDt4T1cUTdK1PDd93/VVr8B8='

test('is what Twilio makes of its own example', () => {
  expect(twilioSignature(TOKEN, URL, params)).toBe(SIGNATURE)
  expect(isSignedByTwilio(TOKEN, URL, params, SIGNATURE)).toBe(true)
})

test('of several values of one name each counts once, as Twilio’s own libraries have it', () => {
  const repeated = { Sid: 'CA123', SidAccount: 'AC123', Digits: ['5678', '1234', '1234'] }
  expect(isSignedByTwilio(TOKEN, URL, repeated, 'IK+Dwps556ElfBT0I3Rgjkr1wJU=')).toBe(true)
})

test.for<[string, string, string, Record<string, string>, string | undefined]>([
  ['another token', '12346', URL, params, SIGNATURE],
  ['another address', TOKEN, `${URL}&x=1`, params, SIGNATURE],
  ['another value', TOKEN, URL, { ...params, Digits: '1235' }, SIGNATURE],
  ['a further field', TOKEN, URL, { ...params, Body: 'STOP' }, SIGNATURE],
  ['another signature', TOKEN, URL, params, SIGNATURE.replace('R', 'S')],
  ['a cut signature', TOKEN, URL, params, SIGNATURE.slice(0, -1)],
  ['no signature', TOKEN, URL, params, undefined],
])('%s does not hold', ([, token, url, fields, signature]) => {
  expect(isSignedByTwilio(token, url, fields, signature)).toBe(false)
})
