import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { widgetOf, WIDGETS } from './chat.harness.ts'
import { jpegOf, pngOf, webpOf } from './picture.harness.ts'
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX } from './values.ts'

let app: TestApp
let ada: Person

beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
})
afterAll(() => app.close())

const upload = (id: string, bytes: Buffer, { by = ada, type = 'image/png', ...headers }: any = {}) =>
  by.browser.raw('PUT', `${WIDGETS}/${id}/logo`, bytes, { 'content-type': type, ...headers })

describe('the logo of a widget', () => {
  test('is shown to every page until it is removed, and its new address never shows an old one', async () => {
    const { id, logo_url } = await widgetOf({ ada })
    expect(logo_url).toBeNull()
    const first = await upload(id, pngOf(64, 64))
    expect(first.status, first.text).toBe(200)
    const read = await ada.browser.get(`${WIDGETS}/${id}`)
    expect(first.body).toEqual(read.body)
    const shown = (await (await fetch(`${app.url}/api/chat/${id}`)).json()) as { logo_url: string }
    expect(shown.logo_url).toBe(read.body.logo_url)

    const picture = await fetch(app.url + shown.logo_url)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect(Buffer.from(await picture.arrayBuffer()).equals(pngOf(64, 64))).toBe(true)

    // The same again changes nothing; another has an address of its own.
    expect((await upload(id, pngOf(64, 64))).body.updated_at).toBe(read.body.updated_at)
    const second = await upload(id, jpegOf(10, 10), { type: 'image/png' })
    expect(second.body.logo_url).not.toBe(shown.logo_url)
    expect((await fetch(app.url + shown.logo_url)).status).toBe(404)
    const typed = await fetch(app.url + second.body.logo_url)
    expect(typed.headers.get('content-type')).toBe('image/jpeg')

    const removed = await ada.browser.delete(`${WIDGETS}/${id}/logo`)
    expect(removed).toMatchObject({ status: 200, body: { logo_url: null } })
    expect((await fetch(app.url + second.body.logo_url)).status).toBe(404)
    const page = await (await fetch(`${app.url}/chat/${id}`)).text()
    expect(page).not.toContain('<img')
  })

  test(`may have ${LOGO_SIDE_MAX} pixels a side and ${LOGO_BYTES_MAX} bytes, and no more`, async () => {
    const { id } = await widgetOf({ ada })
    const edge = await upload(id, webpOf('VP8X', LOGO_SIDE_MAX, 1))
    expect(edge.status, edge.text).toBe(200)
    const wide = await upload(id, webpOf('VP8X', LOGO_SIDE_MAX + 1, 1))
    expect(wide.status).toBe(422)
    expect(wide.body.errors[0].message).toContain(`${LOGO_SIDE_MAX} × ${LOGO_SIDE_MAX} pixels`)
    const full = Buffer.concat([pngOf(1, 1), Buffer.alloc(LOGO_BYTES_MAX)]).subarray(0, LOGO_BYTES_MAX)
    expect((await upload(id, full)).status).toBe(200)
    const heavy = await upload(id, Buffer.concat([full, Buffer.alloc(1)]))
    expect(heavy).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
  })

  test('is a picture by its bytes: nothing that a browser would run', async () => {
    const { id } = await widgetOf({ ada })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const type of ['image/svg+xml', 'image/png'])
      expect(await upload(id, svg, { type })).toMatchObject({
        status: 415,
        body: { code: 'file_type_not_taken' },
      })
    expect((await upload(id, Buffer.alloc(0))).status).toBe(415)
    expect((await ada.browser.get(`${WIDGETS}/${id}`)).body.logo_url).toBeNull()
  })

  test('is changed by admins, by the version that was read, and goes with its widget', async () => {
    const { id } = await widgetOf({ ada })
    const member = await colleagueOf(app, ada, 'MEMBER')
    expect((await upload(id, pngOf(8, 8), { by: member })).status).toBe(403)
    const etag = (await ada.browser.get(`${WIDGETS}/${id}`)).headers.get('etag')!
    await ada.browser.patch(`${WIDGETS}/${id}`, { greeting: 'Hi' })
    expect((await upload(id, pngOf(8, 8), { 'if-match': etag })).status).toBe(412)
    const { logo_url } = (await upload(id, pngOf(8, 8))).body
    const other = await app.person()
    expect((await upload(id, pngOf(9, 9), { by: other })).status).toBe(404)
    await ada.browser.delete(`${WIDGETS}/${id}`)
    expect((await fetch(app.url + logo_url)).status).toBe(404)
    for (const path of ['/chat/logos/none/none', `/chat/logos/${'f'.repeat(24)}/00`])
      expect((await fetch(app.url + path)).status).toBe(404)
  })
})
