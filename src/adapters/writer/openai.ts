import type { Writer } from '#platform/ports/writer.ts'
import { callProvider, parsed } from '#platform/provider-call.ts'
import { answerMessages, readAnswer } from './answer-prompt.ts'
import { nearestReplies } from './nearest-reply.ts'
import { paragraphOf } from './paragraph.ts'

const LABEL = 'The model'
const CHECK_TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 256 * 1024
const MODELS_BYTES_MAX = 4 * 1024 * 1024
const TOKENS_MAX = 600
const ANSWER_TOKENS_MAX = 1_200
const REPLIES_SHOWN_MAX = 12
/** Some variety between people, little between facts and words. */
const TEMPERATURE = 0.3

export type OpenaiOptions = { apiKey: string; baseUrl: string; model: string }

/** Any service that speaks OpenAI's chat completions. It is asked what the task says and nothing else. */
export function openaiWriter({ apiKey, baseUrl, model }: OpenaiOptions): Writer {
  const base = baseUrl.replace(/\/+$/, '')
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
  return {
    kind: 'openai',
    async write({ prompt, characters_max, timeout_ms }) {
      const { status, body } = await callProvider(LABEL, `${base}/chat/completions`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          messages: [{ role: 'user', content: prompt }],
          temperature: TEMPERATURE,
          // A script without spaces takes up to a token a character.
          max_tokens: Math.min(TOKENS_MAX, characters_max),
        }),
        timeoutMs: timeout_ms,
        bytesMax: ANSWER_BYTES_MAX,
      })
      if (status !== 200) throw new Error(`${LABEL} answered ${status}`)
      const completion = parsed<Completion>(body)
      const [choice] = Array.isArray(completion?.choices) ? completion.choices : []
      const content = choice?.message?.content
      if (typeof content !== 'string') throw new Error(`${LABEL} returned no text`)
      return {
        text: paragraphOf(content, { characters_max, whole: choice?.finish_reason !== 'length' }),
        model: typeof completion?.model === 'string' ? completion.model : model,
        tokens_in: count(completion?.usage?.prompt_tokens),
        tokens_out: count(completion?.usage?.completion_tokens),
      }
    },
    async answer(task) {
      const nearest = nearestReplies(task, REPLIES_SHOWN_MAX)
      const { status, body } = await callProvider(LABEL, `${base}/chat/completions`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          messages: answerMessages(task, nearest),
          temperature: TEMPERATURE,
          max_tokens: ANSWER_TOKENS_MAX,
        }),
        timeoutMs: task.timeout_ms,
        bytesMax: ANSWER_BYTES_MAX,
      })
      if (status !== 200) throw new Error(`${LABEL} answered ${status}`)
      const completion = parsed<Completion>(body)
      const content = completion?.choices?.[0]?.message?.content
      if (typeof content !== 'string') throw new Error(`${LABEL} returned no text`)
      return {
        ...readAnswer(content, task, nearest),
        model: typeof completion?.model === 'string' ? completion.model : model,
        tokens_in: count(completion?.usage?.prompt_tokens),
        tokens_out: count(completion?.usage?.completion_tokens),
      }
    },
    async check() {
      const { status, body } = await callProvider(LABEL, `${base}/models`, {
        method: 'GET',
        headers,
        timeoutMs: CHECK_TIMEOUT_MS,
        bytesMax: MODELS_BYTES_MAX,
      })
      if (status === 401 || status === 403) throw new Error(`${LABEL} rejected the API key (${status})`)
      if (status !== 200) throw new Error(`${LABEL} answered ${status}`)
      const list = parsed<{ data: { id?: unknown }[] }>(body)?.data
      if (Array.isArray(list) && !list.some(({ id }) => id === model))
        throw new Error(`${model} is not one of its models`)
    },
  }
}

type Completion = {
  model: unknown
  choices: { message?: { content?: unknown }; finish_reason?: unknown }[]
  usage: { prompt_tokens?: unknown; completion_tokens?: unknown }
}

function count(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0
}
