import { createTransport } from 'nodemailer'

/** What one would write in ten minutes: a pool, and as many mails as one is asked for. */
const transport = createTransport({
  url: process.env.sink!,
  pool: true,
  maxConnections: Number(process.env.lanes),
  maxMessages: Infinity,
})
const html = process.env.html!
const text = process.env.text!

process.on('message', async (count: number) => {
  const began = performance.now()
  let next = 0
  const one = async () => {
    while (next < count) {
      const n = next++
      await transport.sendMail({
        from: 'Rapport <crm@example.com>',
        to: `lead${n}@example.test`,
        subject: `A question for you, ${n}`,
        text,
        html,
        messageId: `<${n}.${began}@example.com>`,
        headers: {
          'List-Unsubscribe': `<https://crm.example.com/u/${n}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      })
    }
  }
  await Promise.all(Array.from({ length: 2 * Number(process.env.lanes) }, one))
  process.send!({ tookMs: performance.now() - began })
})
process.send!({ url: '', headers: {}, memoryMiB: 0 })
