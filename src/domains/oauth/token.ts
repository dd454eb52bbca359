import type { Context } from '#platform/context.ts'
import type { TokenAnswer } from './contract.ts'
import { proofOf, type ClientProof } from './client-auth.ts'
import { exchangeCode } from './code.ts'
import { oauthError } from './errors.ts'
import { fieldsOf, required } from './parameters.ts'
import { refresh } from './refresh.ts'

type Grant = (ctx: Context, fields: Record<string, string>, by: ClientProof) => Promise<TokenAnswer>

const grants: Record<string, Grant> = { authorization_code: exchangeCode, refresh_token: refresh }

export async function issueTokens(
  ctx: Context,
  body: unknown,
  authorization: string | undefined,
): Promise<TokenAnswer> {
  const fields = fieldsOf(body)
  const type = required(fields, 'grant_type')
  if (!Object.hasOwn(grants, type))
    throw oauthError('unsupported_grant_type', `grant_type is ${Object.keys(grants).join(' or ')}.`)
  return grants[type]!(ctx, fields, proofOf(fields, authorization))
}
