import { describe, expect, test } from 'vitest'
import type { Mailbox } from '#domains/mailboxes/contract.ts'
import {
  changesLogin,
  dailyLimitOf,
  importDaysOf,
  loginFaults,
  mailboxChangeOf,
  mailboxFieldsOf,
  rebased,
  withSecurity,
} from './mailbox-fields.ts'

const mailbox: Mailbox = {
  id: '650000000000000000000001',
  kind: 'imap',
  owner_id: null,
  visibility: 'team',
  address: 'hello@brightwater.example',
  name: 'Brightwater',
  signature: null,
  is_default: false,
  creates_leads: false,
  daily_limit: null,
  first_answer_min: null,
  next_answer_min: null,
  timezone: null,
  hours: null,
  agent_id: null,
  agent_mode: 'off',
  username: 'hello',
  imap: { host: 'imap.brightwater.example', port: 993, security: 'tls' },
  smtp: { host: 'smtp.brightwater.example', port: 465, security: 'tls' },
  import_days: 30,
  health: { state: 'OK', note: null, failing_since: null, checked_at: null },
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
}
const fields = mailboxFieldsOf(mailbox)

describe('the fields of a mailbox', () => {
  test('nothing is sent where nothing has changed', () => {
    expect(mailboxChangeOf(mailbox, fields)).toBeUndefined()
    expect(mailboxChangeOf(mailbox, { ...fields, name: ' Brightwater ', daily_limit: '  ' })).toBeUndefined()
  })

  test('only what has changed is sent, and what was emptied is removed', () => {
    expect(mailboxChangeOf(mailbox, { ...fields, name: '', daily_limit: ' 150 ' })).toEqual({
      name: null,
      daily_limit: 150,
    })
  })

  test('a daily limit is a whole number, or none', () => {
    const typed = ['', '1', '10000', '0', '10001', '1.5', 'many'].map(dailyLimitOf)
    expect(typed).toEqual([null, 1, 10_000, undefined, undefined, undefined, undefined])
  })

  test('a password and a server change the sign-in, a name does not', () => {
    const smtp = { ...fields.smtp, host: ' mail.brightwater.example ' }
    const change = mailboxChangeOf(mailbox, { ...fields, password: ' secret ', smtp })!
    expect(change).toEqual({
      password: ' secret ',
      smtp: { host: 'mail.brightwater.example', port: 465, security: 'tls' },
    })
    expect(changesLogin(change)).toBe(true)
    expect(changesLogin({ name: 'Ada' })).toBe(false)
  })

  test('what was typed stays when somebody else saved, and the rest becomes theirs', () => {
    const theirs = { ...mailbox, name: 'Theirs', daily_limit: 7, updated_at: '2026-11-02T00:00:00.000Z' }
    const next = rebased({ ...fields, name: 'Mine' }, mailbox, theirs)
    expect(next).toMatchObject({ name: 'Mine', daily_limit: '7' })
    expect(mailboxChangeOf(theirs, next)).toEqual({ name: 'Mine' })
  })

  test('the port follows the encryption, but not one that somebody typed', () => {
    const submission = withSecurity('smtp', fields.smtp, 'starttls')
    expect(submission).toMatchObject({ port: '587', security: 'starttls' })
    expect(withSecurity('imap', { ...fields.imap, port: '9993' }, 'starttls').port).toBe('9993')
  })

  test('a server needs a name and a port that exists', () => {
    const wrong = { ...fields, imap: { ...fields.imap, host: ' ' }, smtp: { ...fields.smtp, port: '65536' } }
    expect(Object.keys(loginFaults(wrong, true))).toEqual(['password', 'imap.host', 'smtp.port'])
    const right = { ...fields, smtp: { ...fields.smtp, port: '65535' } }
    expect(loginFaults(right, false)).toEqual({})
  })

  test('0 to 365 days are imported', () => {
    expect(['0', '365', '366', '-1', '1.5', ''].map(importDaysOf)).toEqual([
      0,
      365,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
