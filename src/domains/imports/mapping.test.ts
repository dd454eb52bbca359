import { describe, expect, test } from 'vitest'
import { faultsBeforeStart, faultsInPlan, proposedKey, proposedMapping } from './mapping.ts'

const custom = [
  { key: 'customer_number', label: 'Kundennummer', kind: 'text' as const },
  { key: 'seats', label: 'Seats', kind: 'number' as const },
]

const byHeadings = (...columns: string[]) => proposedMapping(columns, [], custom)

describe('columns are known by their headings', () => {
  test.for([
    [
      ['First name', 'LAST_NAME', 'E-Mail', 'Phone Number'],
      ['first_name', 'last_name', 'email', 'phone'],
    ],
    [
      ['given name', 'Surname', 'email address', 'Mobile'],
      ['first_name', 'last_name', 'email', 'phone'],
    ],
    [
      ['Full Name', 'Company name', 'Job title', 'URL'],
      ['name', 'company', 'title', 'website'],
    ],
    [
      ['Organisation', 'Lead Source', 'Owner email', 'Stage'],
      ['company', 'source', 'owner', 'pipeline_stage'],
    ],
    [
      ['Vorname', 'Nachname', 'E-Mail-Adresse', 'Telefon'],
      ['first_name', 'last_name', 'email', 'phone'],
    ],
    [
      ['Firma', 'Position', 'Webseite', 'Zuständig'],
      ['company', 'title', 'website', 'owner'],
    ],
    [
      ['Prénom', 'Nom', 'Courriel', 'Téléphone'],
      ['first_name', 'last_name', 'email', 'phone'],
    ],
    [
      ['Société', 'Fonction', 'Site web', 'Étape'],
      ['company', 'title', 'website', 'pipeline_stage'],
    ],
    [
      ['Nombre', 'Apellidos', 'Correo electrónico', 'Móvil'],
      ['first_name', 'last_name', 'email', 'phone'],
    ],
    [
      ['Empresa', 'Cargo', 'Página web', 'Origen'],
      ['company', 'title', 'website', 'source'],
    ],
    [
      ['custom.seats', 'customer_number', 'Remark', ''],
      ['custom.seats', 'custom.customer_number', null, null],
    ],
    [
      ['KUNDENNUMMER', 'Email', 'E-mail', 'id'],
      ['custom.customer_number', 'email', null, null],
    ],
  ])('%j', ([columns, mapping]) => expect(byHeadings(...(columns as string[]))).toEqual(mapping))
})

test('where a heading says nothing, the values do, and no field is proposed twice', () => {
  const rows = [
    ['ada@example.test', '+49 30 123456', 'www.example.test', 'x', 'bob@example.test'],
    ['grace@example.test', '0044 20 7946 0000', 'https://example.test', 'y', ''],
  ]
  expect(proposedMapping(['A', 'B', 'C', 'D', 'E'], rows, [])).toEqual([
    'email',
    'phone',
    'website',
    null,
    null,
  ])
  expect(proposedMapping(['A', 'B', 'C', 'D', 'Email'], rows, [])).toEqual([
    null,
    'phone',
    'website',
    null,
    'email',
  ])
})

test('duplicates are found by the address, else by phone or website; without any of them everything is new', () => {
  expect(proposedKey(['website', 'phone', 'email'])).toEqual({ duplicates: 'skip', duplicate_key: 'email' })
  expect(proposedKey(['website', 'phone', null])).toEqual({ duplicates: 'skip', duplicate_key: 'phone' })
  expect(proposedKey(['company'])).toEqual({ duplicates: 'create', duplicate_key: 'email' })
})

test('a plan that cannot be meant is told by its place', () => {
  const plan = { columns: ['a', 'b'], duplicates: 'skip' as const, duplicate_key: 'custom.seats' }
  expect(faultsInPlan({ ...plan, mapping: ['email', 'email'] }, custom).map(({ path }) => path)).toEqual([
    'mapping[1]',
    'duplicate_key',
  ])
  const right = {
    ...plan,
    duplicate_key: 'custom.customer_number',
    mapping: ['email', 'custom.customer_number'],
  }
  expect(faultsInPlan(right, custom)).toEqual([])
  expect(faultsBeforeStart(right)).toEqual([])
  expect(faultsBeforeStart({ ...right, mapping: ['title', null] }).map(({ path }) => path)).toEqual([
    'mapping',
    'duplicate_key',
  ])
})
