import { expect, test } from 'vitest'
import type { ChatWidget } from '#domains/chat/contract.ts'
import { changeOf, faultsOf, fieldsOf, inForm, siteIn } from './chat-widget-fields.ts'

const widget: ChatWidget = {
  id: '0123456789abcdef01234567',
  name: 'Website',
  is_on: true,
  allowed_domains: ['www.example.com'],
  colour: '#1f56b0',
  greeting: null,
  timezone: 'Europe/Berlin',
  hours: [{ day: 1, from: '09:00', until: '17:00' }],
  questions: [{ key: 'email', type: 'email', label: 'Your email', required: true }],
  field_mapping: { email: 'email' },
  takes_files: true,
  privacy_url: null,
  agent_id: null,
  agent_mode: 'draft',
  logo_url: null,
  created_at: '2026-11-19T09:00:00.000Z',
  updated_at: '2026-11-19T09:00:00.000Z',
}
const question = { id: 'new-1', key: '', type: 'text' as const, required: false, target: '' }

test('what is untouched is no change', () => {
  expect(changeOf(widget, fieldsOf(widget))).toBeUndefined()
  expect(changeOf(widget, { ...fieldsOf(widget), name: ' Website ', sites: ['www.example.com', ''] })).toBe(
    undefined,
  )
})

test('only what changed is sent; a new question gets a key of its own, and a saved one keeps its key', () => {
  const fields = fieldsOf(widget)
  const questions = [
    { ...fields.questions[0]!, label: 'Work email' },
    { ...question, label: 'Email', target: 'company' },
    { ...question, label: '1. Größe?' },
    { ...question, label: '…' },
  ]
  expect(changeOf(widget, { ...fields, questions })).toEqual({
    questions: [
      { key: 'email', type: 'email', label: 'Work email', required: true },
      { key: 'email_2', type: 'text', label: 'Email', required: false },
      { key: 'gro_e', type: 'text', label: '1. Größe?', required: false },
      { key: 'text', type: 'text', label: '…', required: false },
    ],
    field_mapping: { email: 'email', email_2: 'company' },
  })
})

test('without hours of its own, people answer at all times', () => {
  expect(changeOf(widget, { ...fieldsOf(widget), has_hours: false })).toEqual({ hours: [] })
})

test('a site is what is pasted from the address bar, without the rest', () => {
  expect(siteIn(' https://WWW.Example.com/about?x=1 ')).toBe('www.example.com')
})

test('errors are found at their line', () => {
  const sites = ['www.example.com', '', 'not a site', 'https://www.example.com/']
  const faults = faultsOf({ ...fieldsOf(widget), sites, colour: 'red', week: weekOf([]), privacy_url: 'x' })
  expect(faults.map(({ path }) => path)).toEqual(['colour', 'sites.2', 'sites.3', 'hours', 'privacy_url'])
  expect(faultsOf({ ...fieldsOf(widget), week: weekOf([{ from: '17:00', until: '09:00' }]) })).toMatchObject([
    { path: 'week.0' },
  ])
})

test('errors of the server are shown at the line that it means', () => {
  const fields = { ...fieldsOf(widget), sites: ['', 'a.example.com', '', 'b.example.com'] }
  const at = (path: string) => inForm({ path, message: 'x' }, fields).path
  expect(at('allowed_domains[1]')).toBe('sites.3')
  expect(at('questions[0].label')).toBe('questions.0')
  expect(at('field_mapping.email')).toBe('questions.0.target')
  expect(at('hours[2].until')).toBe('hours')
  expect(at('agent_id')).toBe('agent_id')
})

function weekOf(monday: { from: string; until: string }[]) {
  return [monday, [], [], [], [], [], []]
}
