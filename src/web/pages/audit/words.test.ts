import { describe, expect, test } from 'vitest'
import type { Entry } from '#domains/audit/contract.ts'
import { detailsOf, simplyPut } from './details.ts'
import { auditQuery, auditSearch } from './search.ts'
import { typeChoices, whatInWords, whoInWords } from '../../records/audit/words.ts'

const ada: Entry['actor'] = { kind: 'person', id: 'a1', name: 'Ada' }
const about = (type: string, data: Record<string, unknown> = {}, subject = { kind: 'member', id: 'b2' }) =>
  whatInWords({ type, data, actor: ada, subject })

describe('what happened, in words', () => {
  test.for<[type: string, data: Record<string, unknown>, words: string]>([
    [
      'lead.created',
      { lead: { first_name: 'Grace', last_name: 'Hopper' } },
      'created the lead “Grace Hopper”',
    ],
    ['lead.created', { erased: true }, 'created the lead without a name'],
    ['erasure.finished', { counts: { leads: 1 } }, 'erased all data about a person'],
    [
      'lead.changed',
      { before: {}, after: { company: 'X', status: 'NEW' } },
      'changed company, status of a lead',
    ],
    [
      'lead.changed',
      { after: { a: 1, b: 1, c: 1, pipeline_stage: 1, updated_at: 1 } },
      'changed a, b, c and 1 more of a lead',
    ],
    [
      'member.role_changed',
      { email: 'bob@example.test', before: 'MEMBER', after: 'SUPER_ADMIN' },
      'changed the role of bob@example.test from member to super admin',
    ],
    ['app.changed', { before: { name: 'Old' }, after: { name: 'New' } }, 'changed the OAuth app “New”'],
    ['credits.changed', { balance: 40 }, 'changed the credit balance to 40'],
    ['settlement.reorged', { tx_hash: '0xab' }, 'found the payment “0xab” reverted on chain'],
    ['settlement.restored', { tx_hash: '0xab' }, 'found the payment “0xab” restored on chain'],
    [
      'credits.plan_changed',
      { before: 'TRIAL', after: 'EXPIRED' },
      'changed the team plan from trial to expired',
    ],
    ['credits.quota_changed', { before: 100, after: 500 }, 'changed the monthly credits from 100 to 500'],
    ['account.created', { account: { name: 'Acme' } }, 'created the account “Acme”'],
    ['candidate.created', { candidate: { domain: 'acme.test' } }, 'added the candidate “acme.test”'],
    [
      'candidate.crawled',
      { name: 'Acme', status: 'CRAWLED', facts: 12 },
      'crawled the site of “Acme” and found 12 facts',
    ],
    ['candidate.crawled', { domain: 'acme.test', status: 'GONE' }, 'could not crawl the site of “acme.test”'],
    ['candidate.converted', { name: 'Acme', made: true }, 'converted the candidate “Acme” to a lead'],
    ['opportunity.changed', { after: { close_date: 'x' } }, 'changed close date of an opportunity'],
    [
      'deal.stage_changed',
      { of: 'opportunity', before: { stage: 'proposal' }, after: { stage: 'closed_won' } },
      'moved an opportunity from “proposal” to “closed won”',
    ],
    ['meeting.moved', { title: 'Demo' }, 'rescheduled the meeting “Demo”'],
    [
      'meeting.changed',
      { name: 'Demo', after: { status: 'NO_SHOW' } },
      'marked the meeting “Demo” as a no-show',
    ],
    ['availability.changed', { after: { hours: [] } }, 'changed hours in the meeting settings'],
    ['task.created', { task: { title: 'Call back' } }, 'created the task “Call back”'],
    ['task.overdue', { title: 'Call back' }, 'marked the task “Call back” as overdue'],
    ['project.trashed', {}, 'moved a project to the trash'],
    ['import.deleted', { file_name: 'fair.csv' }, 'deleted the import of “fair.csv”'],
    ['form.created', { form: { name: 'Contact' } }, 'created the form “Contact”'],
    ['form.changed', { after: { field_mapping: {} } }, 'changed field mapping of a form'],
    ['form.published', { name: 'Contact', version: 2 }, 'published the form “Contact” as version 2'],
    ['workflow.created', { workflow: { name: 'Calls' } }, 'created the workflow “Calls”'],
    ['workflow.published', { name: 'Calls', version: 3 }, 'published the workflow “Calls” as version 3'],
    ['workflow.failed', { name: 'Calls' }, 'could not finish a run of the workflow “Calls”'],
    [
      'workflow.run_changed',
      { name: 'Calls', before: 'FAILED', after: 'RUNNING' },
      'retried a run of the workflow “Calls”',
    ],
    ['submission.deleted', { form_name: 'Contact' }, 'deleted a submission of the form “Contact”'],
    [
      'webhook_endpoint.changed',
      { before: null, after: { name: 'Contact' } },
      'set up the webhook of “Contact”',
    ],
    [
      'webhook_endpoint.changed',
      { before: {}, after: { name: 'Contact', status: 'REMOVED' } },
      'removed the webhook of “Contact”',
    ],
    ['webhook_delivery.replayed', { count: 3 }, 'replayed 3 failed deliveries'],
    ['webhook_inbox.replayed', { count: 1 }, 'replayed 1 received event'],
    [
      'webhook_inbox.assigned',
      { type: 'call_ended' },
      'assigned the received event “call_ended” to this team',
    ],
    ['webhook:email.bounced', { endpoint: 'email' }, 'sent the event “email bounced”'],
    ['session.ended', { sessions: 3 }, 'ended 3 sessions'],
    ['session.started', { method: 'google' }, 'signed in with Google'],
  ])('%s', ([type, data, words]) => {
    expect(about(type, data)).toBe(words)
  })

  test('whoever joins by itself is not said to have added somebody', () => {
    const data = { name: 'Ada', email: 'ada@example.test', role: 'MEMBER' }
    expect(about('member.joined', data, { kind: 'member', id: 'a1' })).toBe('joined the team as member')
    expect(about('member.joined', { ...data, name: 'Bob' })).toBe('added Bob to the team as member')
  })

  test('a name cannot go on like the sentence, nor without end', () => {
    expect(about('key.revoked', { name: 'x and left the team' })).toBe(
      'revoked the API key “x and left the team”',
    )
    expect(about('key.revoked', { name: 'long '.repeat(40) })).toMatch(/^revoked the API key “.{59,60}…”$/)
  })

  test('a type nobody wrote words for is told by its name', () => {
    expect(about('invoice.paid', { amount: 1 })).toBe('invoice.paid')
    expect(about('constructor')).toBe('constructor')
  })

  test('every known type copes with data that says nothing', () => {
    for (const { value } of typeChoices()) expect(about(value)).toMatch(/^[a-z]/)
  })
})

test('who did it is told by name, and by kind where it is no person', () => {
  expect(whoInWords(ada)).toBe('Ada')
  expect(whoInWords({ kind: 'person', id: 'gone', name: null })).toBe('A former member')
  expect(whoInWords({ kind: 'key', id: 'k', name: 'Nightly' })).toBe('API key Nightly')
  expect(whoInWords({ kind: 'system', id: null, name: null })).toBe('Rapport')
})

describe('the details of an entry', () => {
  test('only what differs between before and after is a change, also inside of records', () => {
    const before = { name: 'A', custom: { size: 1, tier: 'Gold' }, updated_at: '1' }
    const after = { name: 'A', custom: { size: 2, tier: 'Gold' }, updated_at: '2' }
    expect(detailsOf('lead.changed', { before, after })).toEqual({
      changes: [{ name: 'custom.size', before: 1, after: 2 }],
      rows: [],
    })
  })

  test('two plain values are told under the name in the type', () => {
    const data = { email: 'bob@example.test', before: 'MEMBER', after: 'ADMIN' }
    expect(detailsOf('member.role_changed', data)).toEqual({
      changes: [{ name: 'role', before: 'MEMBER', after: 'ADMIN' }],
      rows: [{ name: 'email', value: 'bob@example.test' }],
    })
  })

  test('values become text as simple as they are', () => {
    expect(simplyPut(['leads:read', 'New'])).toBe('Read leads, contacts and pipeline data\nNew')
    expect(simplyPut([{ key: 'tier', options: ['Gold', 'Silver'] }, { key: 'size' }])).toBe(
      'key: tier, options: Gold | Silver\nkey: size',
    )
    expect(simplyPut(true)).toBe('Yes')
  })

  test('what is deeper than that is left to JSON', () => {
    expect(simplyPut([{ nested: { deep: 1 } }])).toBeUndefined()
    expect(simplyPut({ any: 'record' })).toBeUndefined()
  })
})

describe('the filters in the URL', () => {
  test('what the API would refuse does not get through', () => {
    const raw = {
      actor_kind: 'martian',
      type: ['lead.changed', 'DROP TABLE'],
      from: '0002-01-01',
      until: 'x',
    }
    expect(auditSearch(raw)).toEqual({ type: ['lead.changed'] })
  })

  test('the last day is included', () => {
    const { from, until } = auditQuery(auditSearch({ from: '2026-05-12', until: '2026-05-12' }))
    expect(Date.parse(until!) - Date.parse(from!)).toBe(86_400_000)
  })
})
