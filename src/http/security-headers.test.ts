import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app.ts'

let app: TestApp

beforeAll(async () => void (app = await startApp({ web: true })))
afterAll(() => app.close())

/** They protect what a browser shows. */
const FOR_PAGES = [
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
] as const

test('a page carries the headers that protect it, and JSON for a known caller only what JSON needs', async () => {
  const ada = await app.person()
  const json = await (await ada.key()).get('/api/crm/leads')
  expect(json.status).toBe(200)
  for (const name of FOR_PAGES) expect(json.headers.get(name), name).toBeNull()
  expect(json.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")

  const page = await fetch(`${app.url}/signin`)
  for (const name of FOR_PAGES) expect(page.headers.get(name), name).not.toBeNull()
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")

  for (const { headers } of [json, page]) expect(headers.get('x-content-type-options')).toBe('nosniff')
})
