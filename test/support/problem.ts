import { expect } from 'vitest'
import type { Reply } from './client.ts'

/** Asserts the one shape every failure has, and returns it. */
export function expectProblem(reply: Reply, status: number, code?: string) {
  expect(reply.status, reply.text).toBe(status)
  expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  const { errors, ...rest } = reply.body
  expect(rest).toEqual({
    type: expect.stringMatching(/^(\/docs#problem-[a-z_]+|about:blank)$/),
    title: expect.stringMatching(/./),
    status,
    detail: expect.stringMatching(/./),
    code: code ?? expect.stringMatching(/^[a-z]+(_[a-z0-9]+)*$/),
    request_id: expect.stringMatching(/^[0-9a-f]{24}$/),
  })
  if (errors !== undefined) {
    expect(errors).not.toEqual([])
    for (const error of errors)
      expect(error).toEqual({ path: expect.any(String), message: expect.stringMatching(/./) })
  }
  return reply.body as { detail: string; code: string; errors?: { path: string; message: string }[] }
}
