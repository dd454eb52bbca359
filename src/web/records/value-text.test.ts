import { expect, test } from 'vitest'
import { cacheKeys, membersQuery } from '../queries.ts'
import { queryClient } from '../query-client.ts'
import { valueText } from './value-text.ts'

test('an id is shown as the name it stands for, and never as an id', () => {
  const id = '65e2f00000000000000000aa'
  expect(['owner_id', 'lead_id', 'account_id'].map(field => valueText(id, field))).toEqual([
    'Former member',
    'Another lead',
    'Another account',
  ])
  const updated_at = '2026-03-02T09:00:00.000Z'
  queryClient.setQueryData(membersQuery.queryKey, [{ id, name: 'Ada', email: 'ada@example.test' }] as never)
  queryClient.setQueryData(['leads', 'one', id], { id, updated_at, first_name: 'Grace', last_name: 'Hopper' })
  queryClient.setQueryData([...cacheKeys.accounts, 'one', id], { id, updated_at, name: 'Acme' })
  expect(['assignee_id', 'lead_id', 'account_id'].map(field => valueText(id, field))).toEqual([
    'Ada',
    'Grace Hopper',
    'Acme',
  ])
  queryClient.clear()
})

test('nothing is shown as empty, and a day as people write it', () => {
  expect([null, undefined, ''].map(value => valueText(value, 'note'))).toEqual(['Empty', 'Empty', 'Empty'])
  expect(valueText('2026-12-24', 'close_date')).toMatch(/^(?=.*Dec)(?=.*24)(?=.*2026)/)
  expect(valueText(12, 'amount')).toBe('12')
})
