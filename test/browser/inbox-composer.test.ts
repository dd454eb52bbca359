import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '#test/app.ts'
import { further } from '#test/tier.ts'
import { makeLead, startStage, type Stage } from './browser.ts'
import { composer, drop, OURS, party, reply, sentAtOnce, textFile, thread, written } from './inbox-mail.ts'

let stage: Stage
let ada: Person
beforeAll(async () => {
  stage = await startStage()
  ada = await stage.app.person('ada@example.test')
})
afterAll(() => stage.close())

test('an answer to all goes with a file and a copy; taken back, all of it is in the composer again', async () => {
  const id = await written(ada, 'Lise', {
    to: [party(OURS), party('otto@example.test', 'Otto Hahn')],
    cc: [party('fritz@example.test'), party('LISE@example.test')],
  })
  const { page, complaints } = await stage.visit(`/inbox/${id}`)
  await thread(page).getByRole('button', { name: 'to Otto Hahn, cc fritz@example.test' }).click()
  await thread(page).getByText('Otto Hahn <otto@example.test>').waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Shift+R')
  await page.keyboard.type('Here it is.')
  const copies = composer(page).getByRole('list', { name: 'Cc addresses', exact: true })
  await copies.getByRole('button', { name: 'Otto Hahn' }).first().waitFor()
  await copies.getByRole('button', { name: 'fritz@example.test', exact: true }).waitFor()
  expect(await copies.getByRole('listitem').count()).toBe(2)

  const chooser = page.waitForEvent('filechooser')
  await composer(page).getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles([textFile('Offer.txt', 'Our offer'), textFile('Old.txt', 'Old')])
  await composer(page).getByRole('button', { name: 'Remove Old.txt' }).click()
  await expect.poll(() => composer(page).getByRole('progressbar').count()).toBe(0)
  // It survives a reload, like the text.
  await page.reload()
  await composer(page).getByRole('button', { name: 'Remove Offer.txt' }).waitFor()
  await composer(page).getByRole('combobox', { name: 'Bcc' }).fill('Boss <boss@example.test>')
  await page.keyboard.press('Control+Enter')
  await thread(page)
    .getByText(/^Sends in \d+ s$/)
    .waitFor()
  await expect.poll(() => composer(page).getByRole('list', { name: 'Attached files' }).count()).toBe(0)
  await thread(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => reply(page).inputValue()).toBe('Here it is.')
  await composer(page).getByRole('button', { name: 'Remove Offer.txt' }).waitFor()
  await composer(page)
    .getByRole('list', { name: 'Bcc addresses' })
    .getByRole('button', { name: 'boss@' })
    .first()
    .waitFor()

  await composer(page).getByRole('button', { name: 'Send', exact: true }).click()
  await thread(page)
    .getByText(/^Sends in \d+ s$/)
    .waitFor()
  const mail = await sentAtOnce(stage, 'lise@example.test', 'Here it is.')
  expect(mail.cc).toEqual(['otto@example.test', 'fritz@example.test'])
  expect(mail.bcc).toEqual(['boss@example.test'])
  expect(mail.attachments?.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
    ['Offer.txt', 'Our offer'],
  ])
  expect(complaints).toEqual([])
})

further(
  'files are dropped and pasted, fail and are tried again, and what is too much is said beforehand',
  async () => {
    const id = await written(ada, 'Hertha')
    const { page } = await stage.visit(`/inbox/${id}`)
    await reply(page).fill('See these')
    let refuses = true
    await page.route('**/api/files', route =>
      refuses
        ? route.fulfill({ status: 503, json: { title: 'Files are not available', status: 503 } })
        : route.continue(),
    )
    await drop(page, ['photo.png'], 'drop')
    await composer(page).getByRole('alert').filter({ hasText: 'Files are not available' }).waitFor()
    // It is not sent without.
    await reply(page).press('Control+Enter')
    await composer(page).getByText('photo.png was not uploaded. Try again, or remove it.').waitFor()
    expect(await reply(page).inputValue()).toBe('See these')
    refuses = false
    await composer(page).getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => composer(page).getByRole('button', { name: 'Try again' }).count()).toBe(0)

    await drop(page, ['pasted.png'], 'paste')
    await composer(page).getByRole('button', { name: 'Remove pasted.png' }).waitFor()
    await drop(
      page,
      Array.from({ length: 19 }, (_, n) => `${n}.txt`),
      'drop',
    )
    await composer(page).getByText('A message can have 20 files.').waitFor()
    await expect
      .poll(() =>
        composer(page)
          .getByRole('button', { name: /^Remove/ })
          .count(),
      )
      .toBe(20)
  },
)

further('sending waits for the uploads, and stops if one of them is cancelled', async () => {
  const id = await written(ada, 'Irene')
  const { page } = await stage.visit(`/inbox/${id}`)
  await reply(page).fill('Here you are')
  const held: (() => void)[] = []
  await page.route('**/api/files', async route => {
    await new Promise<void>(resolve => held.push(resolve))
    await route.continue().catch(() => {})
  })
  await drop(page, ['one.txt', 'two.txt'], 'drop')
  await expect.poll(() => held.length).toBe(2)
  await reply(page).press('Control+Enter')
  await composer(page).getByRole('button', { name: 'Uploading 2 files…' }).waitFor()
  await composer(page).getByRole('button', { name: 'Cancel upload of two.txt' }).click()
  for (const release of held) release()
  await composer(page).getByRole('button', { name: 'Send', exact: true }).waitFor()
  await composer(page).getByRole('button', { name: 'Remove one.txt' }).waitFor()
  expect(await reply(page).inputValue()).toBe('Here you are')
  await drop(page, ['two.txt'], 'drop')
  await expect.poll(() => held.length).toBe(3)
  await reply(page).press('Control+Enter')
  await composer(page).getByRole('button', { name: 'Uploading 1 file…' }).waitFor()
  held[2]!()
  await thread(page).getByText('Here you are').waitFor()
  const names = thread(page).getByRole('list', { name: 'Files' }).getByRole('link')
  expect(await names.allInnerTexts()).toEqual(['one.txt\n3 bytes', 'two.txt\n3 bytes'])
})

further('a file that is no longer there is named, and nothing else is lost', async () => {
  const id = await written(ada, 'Cecilia')
  const { page } = await stage.visit(`/inbox/${id}`)
  await reply(page).fill('As agreed')
  await drop(page, ['one.txt', 'two.txt'], 'drop')
  await composer(page).getByRole('button', { name: 'Remove two.txt' }).waitFor()
  await stage.app.database.query(`delete from files where name = 'two.txt' and used_at is null`)
  await composer(page).getByRole('button', { name: 'Send', exact: true }).click()
  await composer(page).getByRole('alert').filter({ hasText: 'two.txt is no longer stored.' }).waitFor()
  expect(await reply(page).inputValue()).toBe('As agreed')
  await composer(page).getByRole('button', { name: 'Remove two.txt' }).click()
  await composer(page).getByRole('button', { name: 'Send', exact: true }).click()
  await thread(page).getByRole('link', { name: 'one.txt' }).waitFor()
})

further('addresses are typed and pasted, and wrong ones are fixed before anything is sent', async () => {
  const id = await written(ada, 'Barbara')
  const { page, complaints } = await stage.visit(`/inbox/${id}`)
  await reply(page).fill('To all of you')
  await composer(page).getByRole('button', { name: 'Cc Bcc' }).click()
  const cc = composer(page).getByRole('combobox', { name: 'Cc', exact: true })
  await expect.poll(() => cc.evaluate(e => e === (e as any).ownerDocument.activeElement)).toBe(true)
  await page.keyboard.type('ada@example.test bob@')
  await page.keyboard.press('Control+Enter')
  await composer(page).getByText('bob@ is not an email address.').waitFor()
  await composer(page).getByRole('button', { name: 'bob@, not an email address' }).click()
  await page.keyboard.type('example.test,')
  const list = composer(page).getByRole('list', { name: 'Cc addresses', exact: true })
  expect(await list.getByRole('listitem').allInnerTexts()).toEqual(['ada@example.test', 'bob@example.test'])
  // A lead is found by name.
  await makeLead(stage.api, { first_name: 'Marietta', last_name: 'Blau', email: 'blau@example.test' })
  await cc.pressSequentially('marietta')
  await composer(page)
    .getByRole('option', { name: /Marietta Blau\s*blau@example\.test/ })
    .waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => list.getByRole('listitem').allInnerTexts()).toContain('Marietta Blau')
  await page.keyboard.press('Backspace')
  expect(await cc.inputValue()).toBe('Marietta Blau <blau@example.test>')
  await cc.fill('')
  // By keys alone: to the first chip, and away with it.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Delete')
  expect(await list.getByRole('listitem').allInnerTexts()).toEqual(['ada@example.test'])
  await composer(page).getByRole('button', { name: 'Send', exact: true }).click()
  await thread(page).getByRole('button', { name: 'to barbara@example.test, cc ada@example.test' }).waitFor()
  expect(complaints).toEqual([])
})

further('a new message has copies and files too', async () => {
  await makeLead(stage.api, { first_name: 'Chien', last_name: 'Wu', email: 'chien@example.test' })
  const { page, complaints } = await stage.visit('/inbox')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New message' })
  await dialog.getByText('Another address').click()
  await dialog.getByLabel('Email address or phone number').fill('chien@example.test')
  await dialog.getByLabel('Subject').fill('Our offer')
  await dialog.getByRole('button', { name: 'Cc Bcc' }).click()
  await dialog.getByRole('combobox', { name: 'Cc', exact: true }).fill('boss@example.test')
  await dialog.getByLabel('Message').fill('Hello')
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles([textFile('Offer.txt', 'Our offer')])
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await thread(page).getByText('Hello').waitFor()
  await thread(page)
    .getByRole('link', { name: /Offer\.txt/ })
    .waitFor()
  await thread(page).getByRole('button', { name: 'to chien@example.test, cc boss@example.test' }).waitFor()
  expect(complaints).toEqual([])
})
