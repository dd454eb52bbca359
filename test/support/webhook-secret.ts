import type { SignedEndpoint } from '#platform/signature.ts'

/** What the test's provider signs with at this endpoint. */
export function webhookSecret(endpoint: SignedEndpoint): string {
  return `whsec_${Buffer.from(`the ${endpoint} secret of the tests`).toString('base64')}`
}
