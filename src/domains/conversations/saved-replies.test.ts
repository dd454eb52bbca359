import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { CONVERSATIONS } from './conversations.harness.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await startApp()
  ada = await app.person()
})
afterAll(() => app.close())

const post = (path: string, body: object) => ada.browser.post(`${CONVERSATIONS}${path}`, body)
const get = async (path: string) => (await ada.browser.get(`${CONVERSATIONS}${path}`)).body

describe('saved replies', () => {
  test('are kept by name, and a text that could never be filled in is refused', async () => {
    const reply = { name: 'Prices', text: 'Hello {{firstName}}, it is free.' }
    const made = await post('/saved-replies', reply)
    expect(made).toMatchObject({ status: 201, body: reply })
    expect(await post('/saved-replies', { ...reply, name: 'prices' })).toMatchObject({
      status: 409,
      body: { code: 'name_taken' },
    })
    expect(await post('/saved-replies', { name: 'Bad', text: '{{nobody}}' })).toMatchObject({ status: 422 })
    const other = await post('/saved-replies', { ...reply, name: 'Discount' })
    expect((await get('/saved-replies')).data.map(({ name }: { name: string }) => name)).toEqual([
      'Discount',
      'Prices',
    ])
    const path = `${CONVERSATIONS}/saved-replies/${other.body.id}`
    expect(await ada.browser.patch(path, { name: 'PRICES' })).toMatchObject({ status: 409 })
    expect((await ada.browser.patch(path, { text: 'Ten percent' })).body).toMatchObject({
      text: 'Ten percent',
    })
    expect((await ada.browser.delete(path)).status).toBe(204)
    expect((await ada.browser.get(path)).status).toBe(404)
  })
})
