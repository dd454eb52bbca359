import { expect, test } from 'vitest'
import { watchLoop } from '#test/loop.ts'
import { RESPONSES_MAX } from './answer.ts'
import { ask } from './request.ts'
import { TooMuch } from './line.ts'

const asked = { url: 'https://calendar.example.test/', depth: '1', props: { 'd:getetag': {} } } as const

function answering(inside: string): typeof fetch {
  const xml = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${inside}</d:multistatus>`
  return async () => new Response(xml, { status: 207, headers: { 'content-type': 'application/xml' } })
}

const event = (data: string) =>
  `<d:response><d:href>/a.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><c:calendar-data>${data}</c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`

test('a long answer is read as a short one is, and holds up nobody', async () => {
  const [short] = await ask(answering(event('BEGIN:VCALENDAR')), 'propfind', asked)
  expect(short).toEqual({
    href: '/a.ics',
    ok: true,
    props: { getetag: '"1"', calendarData: 'BEGIN:VCALENDAR' },
  })
  const loop = watchLoop()
  const many = await ask(answering(event('BEGIN:VCALENDAR').repeat(9_000)), 'propfind', asked)
  loop.stop()
  expect(many).toHaveLength(9_000)
  expect(many.at(-1)).toEqual(short)
  expect(loop.worst()).toBeLessThan(200)
})

test(`an answer has at most ${RESPONSES_MAX} entries`, async () => {
  expect(await ask(answering('<d:response/>'.repeat(RESPONSES_MAX)), 'propfind', asked)).toHaveLength(
    RESPONSES_MAX,
  )
  const more = ask(answering('<d:response/>'.repeat(RESPONSES_MAX + 1)), 'propfind', asked)
  await expect(more).rejects.toThrow(TooMuch)
})
