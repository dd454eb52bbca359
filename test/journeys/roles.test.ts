import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { createDatabase } from '#test/database.ts'
import { eventually } from '#test/eventually.ts'

test('an api process takes requests, a worker process does what follows from them', async () => {
  const database = await createDatabase()
  const api = await startApp({ role: 'api', database })
  try {
    const ada = await api.person()
    const { body: lead } = await ada.browser.post('/api/crm/leads', { first_name: 'Ada' })
    const { body: note } = await ada.browser.post(`/api/crm/leads/${lead.id}/notes`, {
      text: 'Waits for a worker',
    })
    const waiting = await database.query('select kind from jobs')
    expect(waiting).toEqual([{ kind: 'leads.touch@lead.noted' }])

    const worker = await startApp({ role: 'worker', database })
    try {
      await eventually(async () => {
        expect((await ada.browser.get(`/api/crm/leads/${lead.id}`)).body.last_activity_at).toBe(note.at)
      })
      expect(await database.query('select kind from jobs')).toEqual([])
      expect((await client(worker.url).get('/readyz')).status).toBe(200)
      expect((await client(worker.url).get('/api/crm/leads')).status).toBe(404)
    } finally {
      await worker.close()
    }
  } finally {
    await api.close()
    await database.drop()
  }
})
