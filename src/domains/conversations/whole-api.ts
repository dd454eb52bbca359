import type { Handlers } from '#platform/contract.ts'
import { agentEndpoints } from './agent-contract.ts'
import { agentApi } from './agent-turns.ts'
import { api, mailboxApi, settingsApi, whatsappApi } from './api.ts'
import { endpoints } from './contract.ts'
import { mailboxEndpoints } from './mailbox-contract.ts'
import { settingsEndpoints } from './settings-contract.ts'
import { whatsappEndpoints } from './whatsapp-contract.ts'

/** Everything that conversations offer: each part has a contract of its own. */
export const wholeEndpoints = {
  ...endpoints,
  ...settingsEndpoints,
  ...mailboxEndpoints,
  ...whatsappEndpoints,
  ...agentEndpoints,
}

export const wholeApi: Handlers<typeof wholeEndpoints> = {
  ...api,
  ...settingsApi,
  ...mailboxApi,
  ...whatsappApi,
  ...agentApi,
}
