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
  check(): Promise<void>
}
