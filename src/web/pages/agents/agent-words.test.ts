import { describe, expect, test } from 'vitest'
import type { Agent } from '#domains/agents/contract.ts'
import { DEFAULT_OUTBOUND, DEFAULT_TEXT } from '#domains/agents/values.ts'
import { differing } from '../../ui/draft/draft.ts'
import {
  asToolName,
  bodyOf,
  faultsOf,
  fieldsOf,
  newTool,
  placedHere,
  tabOf,
  type AgentFields,
} from './agent-fields.ts'
import { rulesInWords, waitInWords } from './calling-words.ts'
import { changesInWords } from './version-words.ts'

const stock = { name: 'stock', description: 'Says it.', parameters: [], url: 'https://shop.example.com/' }
const agent: Agent = {
  id: 'a'.repeat(24),
  name: 'Front desk',
  kind: 'voice',
  description: null,
  instructions: 'Answer kindly.',
  model: null,
  voice: null,
  greeting: null,
  tools: ['end_call', stock, 'transfer'],
  phone_number: null,
  transfer_to: '+4930111111',
  outbound: DEFAULT_OUTBOUND,
  text: DEFAULT_TEXT,
  price: null,
  listed: false,
  version: 1,
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
  deleted_at: null,
}

const changeOf = (before: Agent, fields: AgentFields) => differing(bodyOf(fieldsOf(before)), bodyOf(fields))

describe('what is typed of an agent', () => {
  test('changes nothing until it differs, whatever order its tools stand in', () => {
    expect(changeOf(agent, fieldsOf(agent))).toEqual({})
    const { quiet_hours, ...rest } = agent.outbound
    expect(changeOf({ ...agent, outbound: { quiet_hours, ...rest } }, fieldsOf(agent))).toEqual({})
  })

  test('is saved field by field, numbers without their spaces', () => {
    const fields = { ...fieldsOf(agent), phone_number: ' +49 (30) 12-34/567 ', voice: ' ' }
    expect(changeOf(agent, fields)).toEqual({ phone_number: '+49301234567' })
  })

  test('a fault of the server stands at the tool that it means', () => {
    const fields = fieldsOf(agent)
    const placed = placedHere([{ path: 'tools[2].url', message: 'must be an https address' }], fields)
    expect(placed).toEqual([{ path: 'own[0].url', message: 'Must be an https address' }])
    expect(tabOf(placed[0]!)).toBe('tools')
  })

  test('is refused where it cannot be', () => {
    const fields = fieldsOf(agent)
    expect(faultsOf(fields)).toEqual([])
    const wrong = {
      ...fields,
      transfer_to: '',
      own: [...fields.own, { ...newTool(), name: 'end_call' }],
      outbound: { ...agent.outbound, quiet_hours: { from: '08:00', until: '08:00' } },
    }
    expect(faultsOf(wrong).map(({ path }) => path)).toEqual([
      'transfer_to',
      'own[1].name',
      'own[1].description',
      'own[1].url',
      'quiet_hours',
    ])
  })

  test('the name of a tool becomes one that a model can call', () => {
    expect(asToolName('Look-up ORDER №7!')).toBe('look_up_order_7')
  })
})

describe('in words', () => {
  test('a wait is told in days, hours and minutes', () => {
    expect([15, 60, 90, 1440, 2945].map(waitInWords)).toEqual([
      '15 minutes',
      '1 hour',
      '1 hour 30 minutes',
      '1 day',
      '2 days 1 hour 5 minutes',
    ])
  })

  test('rules without limits are told as such', () => {
    const free = { ...DEFAULT_OUTBOUND, consent: 'not_required', quiet_hours: null, attempts_max: 1 } as const
    expect(rulesInWords(free)).toBe('Calls any lead, at any time. If no one answers, it does not retry.')
  })

  test('a version says what it changed', () => {
    const { name, instructions, greeting, model, voice, tools, transfer_to, outbound, text } = agent
    const before = { name, instructions, greeting, model, voice, tools, transfer_to, outbound, text }
    const after = {
      ...before,
      voice: 'cedar',
      transfer_to: null,
      tools: ['look_up_lead', { ...stock, description: 'Says more.' }],
    }
    const version = { version: 2, agent: after, changed_by: null, created_at: agent.created_at }
    const changes: ('voice' | 'tools' | 'transfer_to')[] = ['voice', 'tools', 'transfer_to']
    expect(changesInWords({ ...version, changes }, before)).toEqual([
      'Voice: “cedar”',
      'Tools: added look_up_lead; removed end_call, transfer; changed stock',
      'Transfers to: removed',
    ])
    expect(changesInWords({ ...version, changes: ['voice'] }, undefined)).toEqual(['Voice: changed'])
  })
})
