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
        Base address <code>${document.servers[0]!.url}</code>. The same as
        <a href="/api/openapi.json">OpenAPI 3.1</a>.
      </p>
      <p>
        Send an API key as <code>Authorization: Bearer rpk_…</code>, or the access token that a person allowed
        your app (<code>rpa_…</code>; what an OAuth client needs to know is at
        <a href="/.well-known/oauth-authorization-server">its metadata</a>). Errors are
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
      <h2>Problems</h2>
      <dl>
        ${problemKinds.map(
          kind =>
            html`<dt id="problem-${kind}"><code>${statuses[kind]} ${kind}</code></dt>
              <dd>${titles[kind]}</dd>`,
        )}
      </dl>
      ${document.tags.map(({ name }) =>
        section(
          name,
          operations.filter(({ operation }) => operation.tags.includes(name)),
        ),
      )}`,
    { wide: true },
  )
}

type Listed = { path: string; method: string; operation: Operation }

function section(name: string, operations: Listed[]): Html {
  return html`<h2>${name[0]!.toUpperCase() + name.slice(1)}</h2>
    ${operations.map(
      ({ path, method, operation }) =>
        html`<details id="${operation.operationId}">
          <summary><b>${method}</b> <code>${path}</code> <span>${operation.summary}</span></summary>
          <p>${whoMay(operation)}</p>
          ${operation.parameters && table(operation.parameters)}
          ${
            operation.requestBody
              ? html`<h3>Body</h3>
                  <pre>${JSON.stringify(operation.requestBody, null, 2)}</pre>`
              : null
          }
          <h3>Answer</h3>
          <pre>${JSON.stringify(operation.responses, null, 2)}</pre>
        </details>`,
    )}`
}

function whoMay(operation: Operation): string {
  if (operation['x-role']) return `A signed-in person with the role ${operation['x-role']} or higher.`
  const scope = operation.security.find(entry => entry.apiKey)?.apiKey?.[0]
  if (scope) return `Needs the scope ${scope}.`
  return operation.security.length === 0 ? 'Open to everybody.' : 'Needs the CRON_SECRET.'
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
