import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { html, layout, type Html } from '#platform/html.ts'
import { problemKinds } from '#platform/problem.ts'
import { scopes } from '#platform/scopes.ts'
import { holdsTag } from './conditional.ts'
import type { OpenApi, Operation } from './openapi.ts'
import { statuses, titles } from './problems.ts'

/** The contracts for programs and for people, and the style sheet of every page the server itself writes. */
export function serveDocs(server: FastifyInstance, describe: () => OpenApi): void {
  // Made when somebody first asks: a start does not wait for them.
  const documentOnce = once(describe)
  const pageOnce = once(() => docsPage(documentOnce()))
  const textOnce = once(() => {
    const text = JSON.stringify(documentOnce())
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"` }
  })
  const styles = readFileSync(new URL('./public.css', import.meta.url))
  server.get('/api/openapi.json', (request, reply) => {
    const { text, etag } = textOnce()
    reply.header('etag', etag)
    if (holdsTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('application/json').send(text)
  })
  server.get('/docs', (_, reply) => reply.type('text/html; charset=utf-8').send(pageOnce()))
  server.get('/public.css', (_, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=300').send(styles),
  )
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** The OpenAPI document as one plain page. */
function docsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return layout(
    'API reference',
    html`<h1>API reference</h1>
      <p>
        Base URL: <code>${document.servers[0]!.url}</code>. Also available as
        <a href="/api/openapi.json">OpenAPI 3.1</a>.
      </p>
      <p>
        Authenticate with an API key, <code>Authorization: Bearer rpk_…</code>, or with an OAuth access token
        (<code>rpa_…</code>; see the
        <a href="/.well-known/oauth-authorization-server">OAuth server metadata</a>). Errors are
        <code>application/problem+json</code>.
      </p>
      <h2>Scopes</h2>
      <dl>
        ${Object.entries(scopes).map(
          ([name, words]) =>
            html`<dt><code>${name}</code></dt>
              <dd>${words}</dd>`,
        )}
      </dl>
      <h2>Errors</h2>
      <dl>
        ${problemKinds.map(
          kind =>
            html`<dt id="problem-${kind}"><code>${statuses[kind]} ${kind}</code></dt>
              <dd>${titles[kind]}</dd>`,
        )}
      </dl>
      ${document.tags.map(tag =>
        section(
          tag,
          operations.filter(({ operation }) => operation.tags.includes(tag.name)),
        ),
      )}`,
    { wide: true },
  )
}

type Listed = { path: string; method: string; operation: Operation }

function section({ name, description }: OpenApi['tags'][number], operations: Listed[]): Html {
  return html`<h2>${name[0]!.toUpperCase() + name.slice(1)}</h2>
    <p>${description}</p>
    ${operations.map(
      ({ path, method, operation }) =>
        html`<details id="${operation.operationId}">
          <summary><b>${method}</b> <code>${path}</code> <span>${operation.summary}</span></summary>
          <p>${operation.description}</p>
          ${operation.parameters && table(operation.parameters)}
          ${
            operation.requestBody
              ? html`<h3>Body</h3>
                  <pre>${JSON.stringify(operation.requestBody, null, 2)}</pre>`
              : null
          }
          <h3>Response</h3>
          <pre>${JSON.stringify(answersOf(operation), null, 2)}</pre>
          <p>Errors: ${problemsOf(operation).join(', ')}.</p>
        </details>`,
    )}`
}

/** The common ones are told by their status alone: what they mean is at the top of the page. */
function answersOf({ responses }: Operation) {
  return Object.fromEntries(Object.entries(responses).filter(([, response]) => !isCommon(response)))
}

function problemsOf({ responses }: Operation): string[] {
  return Object.keys(responses).filter(status => status !== 'default' && isCommon(responses[status]))
}

function isCommon(response: unknown): boolean {
  return typeof response === 'object' && response !== null && '$ref' in response
}

function table(parameters: NonNullable<Operation['parameters']>): Html {
  return html`<table>
    <thead>
      <tr>
        <th>Parameter</th>
        <th>In</th>
        <th>Schema</th>
      </tr>
    </thead>
    <tbody>
      ${parameters.map(
        ({ name, in: place, required, schema }) =>
          html`<tr>
            <td><code>${name}</code>${required ? ' (required)' : ''}</td>
            <td>${place}</td>
            <td><code>${JSON.stringify(schema)}</code></td>
          </tr>`,
      )}
    </tbody>
  </table>`
}
