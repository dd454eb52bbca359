import { on, type Reaction } from '#platform/registry.ts'
import { teamChanged } from '#domains/identity/contract.ts'
import { renameSeller } from './listings.ts'

export const reactions: Reaction[] = [on(teamChanged, 'agents.rename_seller', renameSeller)]
