import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'

export const api: Handlers<typeof endpoints> = {}
