/** One thing that is known about a lead, in words: `role`: "Head of Sales". */
export type Fact = { name: string; value: string }

export type WritingTask = {
  facts: readonly Fact[]
  /** The whole instruction, with the facts in it: what a model is asked, and what is kept beside the answer. */
  prompt: string
  characters_max: number
  timeout_ms: number
}

export type Writing = {
  text: string
  model: string
  tokens_in: number
  tokens_out: number
}

/** Writes a sentence or two about somebody. Any rejection means that there is none. */
export type Writer = {
  kind: 'rules' | 'openai'
  write(task: WritingTask): Promise<Writing>
  /** Drafts an answer for a person to read, change and send. Undefined: there is nothing to make one of. */
  answer(task: AnswerTask): Promise<DraftedAnswer | undefined>
  check(): Promise<void>
}

/** A message that is to be answered. What it says of the team is the team's; the rest may be a stranger's words. */
export type AnswerTask = {
  /** The last messages, the oldest first. */
  history: readonly { by: 'them' | 'us'; text: string }[]
  facts: readonly Fact[]
  /** Answers that the team has agreed on, with its placeholders filled in. */
  replies: readonly ApprovedReply[]
  characters_max: number
  timeout_ms: number
}

export type ApprovedReply = { id: string; name: string; text: string }

/** `used`: the IDs of the replies that it is made of. */
export type DraftedAnswer = Writing & { used: readonly string[] }
