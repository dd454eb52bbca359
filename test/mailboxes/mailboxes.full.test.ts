import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { findDovecot } from '#test/dovecot.ts'
import { inOrder } from '#test/in-order.ts'
import { bundleFolder } from '../run/bundle.ts'
import { openLaboratory, type Laboratory } from './laboratory.ts'
import { receive } from './receiving.ts'
import { findingsTable, isBad } from './report.ts'
import { send } from './sending.ts'

inOrder()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 })

let laboratory: Laboratory

beforeAll(async () => {
  laboratory = await openLaboratory({
    seed: 11,
    dovecot: findDovecot(),
    programs: () => bundleFolder(inject('postgresUrl')),
  })
})
afterAll(() => laboratory?.close({ keep: false }))

test('emails that come in while their readers are killed are there once, with their files', async () => {
  const findings = await receive(laboratory, { mails: 12, kills: 3 })
  expect(isBad(findings), findingsTable(findings)).toBe(false)
  expect(findings.compared).toMatchObject({ 'emails delivered': 12, 'kills while receiving': 3 })
})

test('replies that are written while their senders are killed arrive once, or are unknown', async () => {
  const findings = await send(laboratory, { replies: 12, kills: 4 })
  expect(isBad(findings), findingsTable(findings)).toBe(false)
  expect(findings.compared).toMatchObject({ 'replies written meanwhile': 12, 'kills while sending': 4 })
})
