import type { Writer } from '#platform/ports/writer.ts'
import { callProvider, parsed } from '#platform/provider-call.ts'
import { answerMessages, readAnswer } from './answer-prompt.ts'
import {
  conversationMessages,
  readConversationAnswer,
  readWanted,
  toolsOffered,
} from './conversation-prompt.ts'
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
  async function complete(asked: Record<string, unknown>, timeoutMs: number) {
    const { status, body } = await callProvider(LABEL, `${base}/chat/completions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ model, temperature: TEMPERATURE, ...asked }),
      timeoutMs,
      bytesMax: ANSWER_BYTES_MAX,
    })
    if (status !== 200) throw new Error(`${LABEL} answered ${status}`)
    const completion = parsed<Completion>(body)
    const [choice] = Array.isArray(completion?.choices) ? completion.choices : []
    return {
      content: choice?.message?.content,
      wanted: choice?.message?.tool_calls,
      finish_reason: choice?.finish_reason,
      about: {
        model: typeof completion?.model === 'string' ? completion.model : model,
        tokens_in: count(completion?.usage?.prompt_tokens),
        tokens_out: count(completion?.usage?.completion_tokens),
      },
    }
  }

  return {
    kind: 'openai',
    async write({ prompt, characters_max, timeout_ms }) {
      const messages = [{ role: 'user', content: prompt }]
      // A script without spaces takes up to a token a character.
      const max_tokens = Math.min(TOKENS_MAX, characters_max)
      const { content, finish_reason, about } = await complete({ messages, max_tokens }, timeout_ms)
      const whole = finish_reason !== 'length'
      return { text: paragraphOf(textOf(content), { characters_max, whole }), ...about }
    },
    async answer(task) {
      const nearest = nearestReplies(task, REPLIES_SHOWN_MAX)
      const messages = answerMessages(task, nearest)
      const { content, about } = await complete({ messages, max_tokens: ANSWER_TOKENS_MAX }, task.timeout_ms)
      return { ...readAnswer(textOf(content), task, nearest), ...about }
    },
    async converse(task) {
      const asked = { messages: conversationMessages(task), max_tokens: ANSWER_TOKENS_MAX }
      const answer = await complete({ ...asked, ...toolsOffered(task) }, task.timeout_ms)
      const wanted = readWanted(answer.wanted)
      if (wanted.length > 0) return { kind: 'tools', wanted, ...answer.about }
      return { ...readConversationAnswer(textOf(answer.content), task), ...answer.about }
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

function textOf(content: unknown): string {
  if (typeof content !== 'string') throw new Error(`${LABEL} returned no text`)
  return content
}

type Completion = {
  model: unknown
  choices: { message?: { content?: unknown; tool_calls?: unknown }; finish_reason?: unknown }[]
  usage: { prompt_tokens?: unknown; completion_tokens?: unknown }
}

function count(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0
}
