import { newId } from '#platform/ids.ts'
import { steady } from './steady.ts'

/** Strangers who fill in a form, evenly, for as long as they are let; every one must be taken. */
const { url, form, per_second } = process.env as Record<string, string>
const headers = { 'content-type': 'application/json' }
const path = `/api/forms/${form}/submissions`

process.send!({ url, headers: {}, memoryMiB: 0 })
await steady(url!, { perSecond: Number(per_second), seconds: 60 }, () => {
  const body = {
    name: 'Grace Hopper',
    email: `${newId()}@example.test`,
    message: 'Call me',
    utm_source: 'ads',
  }
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
})
