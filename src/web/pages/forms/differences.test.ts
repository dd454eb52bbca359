import { expect, test } from 'vitest'
import type { FormContent } from '#domains/forms/contract.ts'
import { differencesOf } from './differences.ts'

const before: FormContent = {
  title: 'Contact',
  description: 'Write to us',
  fields: [
    { key: 'name', type: 'text', label: 'Name' },
    { key: 'email', type: 'email', label: 'E-mail', required: true },
    { key: 'plan', type: 'choice', label: 'Plan', options: ['Small', 'Large'] },
  ],
  steps: [],
  submit_label: 'Send',
  thank_you: 'Thank you.',
  redirect_url: null,
  field_mapping: { email: 'email' },
}
const [name, email, plan] = before.fields as [
  FormContent['fields'][0],
  FormContent['fields'][0],
  FormContent['fields'][0],
]
const told = (change: Partial<FormContent>) =>
  differencesOf(before, { ...before, ...change }, target => target.toUpperCase())

test('the same form differs in nothing', () => {
  expect(told({})).toEqual([])
  expect(told({ fields: before.fields.map(field => ({ ...field, help: null, step: 0 })) })).toEqual([])
})

test('changes for visitors are described in words', () => {
  expect(told({ title: 'Hello', description: null })).toEqual(['Title is now “Hello”', 'Description removed'])
  const added = { key: 'phone', type: 'phone', label: 'Phone' } as const
  expect(told({ fields: [name, email, added] })).toEqual(['Added “Phone”', 'Removed “Plan”'])
  expect(
    told({
      fields: [{ ...name, label: 'Full name', required: true }, email, { ...plan, options: ['Small'] }],
    }),
  ).toEqual(['“Name” renamed to “Full name”', '“Full name” is now required', 'Options of “Plan” changed'])
  expect(told({ fields: [email, name, plan] })).toEqual(['Field order changed'])
  expect(told({ steps: ['One', 'Two'], fields: [name, email, { ...plan, step: 1 }] })).toEqual([
    'Steps are now One, Two',
    'Fields moved to other steps',
  ])
  expect(told({ field_mapping: { name: 'first_name' } })).toEqual([
    '“Name” is now mapped to FIRST_NAME',
    '“E-mail” is no longer mapped to a lead field',
  ])
})
