import { openThread } from '#platform/thread.ts'
import {
  calls,
  readAnswer,
  RESPONSES_MAX,
  type Answer,
  type Call,
  type Parameters,
  type Question,
  type Written,
} from './answer.ts'
import { TooMuch } from './line.ts'

/** Whatever is in an answer of this length, it is read within milliseconds. */
const SHORT_LENGTH_MAX = 16 * 1024
const CPU_MAX_MS = 5_000

const thread = openThread<Question, Answer[]>(new URL('./answer-thread.ts', import.meta.url), {
  cpuMs: CPU_MAX_MS,
})

/**
 * Asks a server. A member names it, so that anybody may have written what it answers: four megabytes of XML take a second
 * to read, and some take minutes. A long answer is read in a thread.
 */
export async function ask(line: typeof fetch, call: Call, parameters: Parameters): Promise<Answer[]> {
  const question = { call, parameters, written: await answerTo(line, call, parameters) }
  const isShort = question.written.text.length <= SHORT_LENGTH_MAX
  const answers = await (isShort ? readAnswer(question) : thread.ask(question))
  if (answers.length > RESPONSES_MAX)
    throw new TooMuch('The calendar has too many events in this period to read.')
  return answers
}

/** The library asks; what comes back is kept from it until there is a place to read it. */
async function answerTo(line: typeof fetch, call: Call, parameters: Parameters): Promise<Written> {
  let written: Written | undefined
  const recording: typeof fetch = async (address, init) => {
    const answer = await line(address, init)
    const { status, headers, url } = answer
    written = { url, status, headers: [...headers], text: await answer.text() }
    return new Response(null, { status })
  }
  await calls[call]({ ...parameters, fetch: recording } as never)
  return written!
}
