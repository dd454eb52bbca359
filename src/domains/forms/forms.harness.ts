import { expect } from 'vitest'
import type { FakeClock } from '#platform/clock.ts'
import { client, type Client, type Reply } from '#test/client.ts'
import type { TestApp } from '#test/app.ts'

/** A published form of this caller. */
export async function publishedForm(caller: Client, fields: Record<string, unknown> = {}) {
  const reply = await caller.post('/api/crm/forms', { name: 'Contact', published: true, ...fields })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

/** Somebody who was never here before. */
export function visitor(app: TestApp) {
  const stranger = client(app.url)
  return {
    ...stranger,
    submit: (form: { id: string }, body: unknown, headers?: Record<string, string>) =>
      stranger.post(`/api/forms/${form.id}/submissions`, body, headers),
    open: (form: { slug: string }, query = '') => stranger.get(`/f/${form.slug}${query}`),
    /** As a browser without a script sends the page. */
    send: (form: { slug: string }, fields: Record<string, string> | [string, string][], headers = {}) =>
      stranger.raw('POST', `/f/${form.slug}`, new URLSearchParams(fields).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        ...headers,
      }),
  }
}

/** What a hidden field of a page holds. */
export function hiddenValue({ text }: Reply, name: string): string | undefined {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]
  return value?.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** Opens the page and takes as long as a person does. */
export async function openedPage(app: TestApp, clock: FakeClock, form: { slug: string }): Promise<string> {
  const page = await visitor(app).open(form)
  expect(page.status).toBe(200)
  clock.advance(5_000)
  return hiddenValue(page, '_token')!
}

export async function readSubmission(caller: Client, id: string) {
  const { status, body, text } = await caller.get(`/api/crm/submissions/${id}`)
  expect(status, text).toBe(200)
  return body
}
