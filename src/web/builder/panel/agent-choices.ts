/** The agents to choose from. A name that no agent has any more stays visible, so that it can be fixed. */
export function agentChoices(value: unknown, agents: readonly string[]) {
  const written = typeof value === 'string' && value.trim() !== '' ? value : null
  const spelt = written && agents.find(name => name.trim().toLowerCase() === written.trim().toLowerCase())
  const isGone = written !== null && !spelt
  return {
    chosen: spelt ?? written,
    choices: [...new Set([...agents, ...(isGone ? [written] : [])])],
    isGone,
  }
}
