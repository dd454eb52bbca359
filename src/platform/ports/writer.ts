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
  /** Answers as an agent, or asks for tools first. Undefined: it has nothing to say. */
  converse(task: ConversationTask): Promise<ConversationTurn | undefined>
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

/** What an agent answers to somebody. Everything but its instructions and tools may be strangers' words. */
export type ConversationTask = AnswerTask & {
  agent: { name: string; instructions: string }
  /** A text of the team's that it may answer from. */
  knowledge: string | null
  /** What it may answer about; empty: whatever the replies and the text say. */
  topics: readonly string[]
  tools: readonly ModelTool[]
  /** What it has asked for until now, and what came of it. */
  rounds: readonly (readonly UsedTool[])[]
  /** The time where the other party is, in words. */
  now: string
}

/** What a model can ask for, with a JSON Schema of what it takes. */
export type ModelTool = { name: string; description: string; parameters: Record<string, unknown> }
export type WantedTool = { id: string; name: string; arguments: Record<string, unknown> }
export type UsedTool = WantedTool & { result: string }

export type ConversationTurn = Pick<Writing, 'model' | 'tokens_in' | 'tokens_out'> &
  (
    | { kind: 'tools'; wanted: readonly WantedTool[] }
    | {
        kind: 'answer'
        text: string
        /** From 0 to 1. */
        confidence: number
        /** The IDs of the replies it is made of, and `facts` for the text. */
        used: readonly string[]
        /** Which of the topics it is about. */
        topic: string | null
      }
  )

/** How `used` names the text of the team. */
export const KNOWLEDGE = 'facts'
