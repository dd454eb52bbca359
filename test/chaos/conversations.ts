import type { Evidence, Findings } from './findings.ts'

/** A lead has one conversation with one letter, and the answer to it once. */
export async function checkConversations(
  { query, ledger }: Evidence,
  { compared, lost, doubled, wrong }: Findings,
): Promise<void> {
  const rows = await query(
    `select id, lead_id, state, (select count(*)::int from messages where messages.team_id = conversations.team_id
         and messages.lead_id = conversations.lead_id and source_kind = 'person') as letters,
       (select count(*)::int from messages where messages.team_id = conversations.team_id
         and messages.lead_id = conversations.lead_id and source_kind = 'person' and replied_at is not null) as answered,
       (select count(*)::int from conversation_entries as entries where entries.team_id = conversations.team_id
         and conversation_id = conversations.id) as entries
     from conversations`,
  )
  const byLead = Map.groupBy(rows, ({ lead_id }) => lead_id as string)
  compared.conversations = ledger.conversations.length
  for (const { id, lead_id } of ledger.conversations) {
    const [row, ...more] = byLead.get(lead_id) ?? []
    const name = `conversation ${id} of lead ${lead_id}`
    if (row?.id !== id) lost.push(`${name} was acknowledged and is gone`)
    else if (more.length > 0) doubled.push(`lead ${lead_id} has ${more.length + 1} conversations`)
    else if (row.letters === 0) lost.push(`${name} was acknowledged and has no letter`)
    else if (row.letters > 1) doubled.push(`${name} has ${row.letters} letters`)
    else if (row.entries < row.answered) lost.push(`${name} has lost its answer`)
    else if (row.entries > row.answered) doubled.push(`${name} has its answer ${row.entries} times`)
    else if (row.answered > 0 && row.state !== 'OPEN') wrong.push(`${name} was answered and is ${row.state}`)
  }
}
