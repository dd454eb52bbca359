import { html, layout, type Html } from '#platform/html.ts'
import type { Listing } from './contract.ts'

type Shown = { data: readonly Listing[]; next_cursor: string | null; baseUrl: string }

/** For people who look around, and for those who let a program buy. It needs no script. */
export function cataloguePage({ data, next_cursor, baseUrl }: Shown): string {
  const body = html`<h1>Agents for sale</h1>
    ${
      data.length === 0
        ? nothing
        : html`<p class="quiet">
              Buy an agent with one HTTP request and a stablecoin payment, and use it right away. No account
              required.
            </p>
            ${data.map(entry)} ${next_cursor && more(next_cursor)} ${explained(baseUrl)}`
    }`
  return layout('Agents for sale', body, { wide: data.length > 0 })
}

const nothing = html`<p>No agents are for sale right now.</p>
  <p class="quiet">
    Have one to sell? <a href="/agents">Open your agents</a>, set a price and list it in the catalogue.
  </p>`

function entry({ id, name, kind, description, seller, price, purchase }: Listing): Html {
  return html`<section class="entry" aria-labelledby="agent-${id}">
    <div class="entry-head">
      <h2 id="agent-${id}">${name}</h2>
      <p class="price">${price.amount} ${price.currency}</p>
    </div>
    <p class="quiet">${kinds[kind]} from ${seller}</p>
    ${description ? html`<p class="lines">${description}</p>` : html`<p class="quiet">No description.</p>`}
    <pre class="wrap"><code>curl -i ${purchase}</code></pre>
  </section>`
}

const kinds: Record<Listing['kind'], string> = { voice: 'Voice agent' }

function more(cursor: string): Html {
  return html`<p><a href="/agents/catalogue?cursor=${encodeURIComponent(cursor)}">More agents</a></p>`
}

function explained(baseUrl: string): Html {
  return html`<section aria-labelledby="how">
    <h2 id="how">How buying works</h2>
    <p>Request an agent. The response says who to pay, how much, on which network and in which token:</p>
    <pre class="wrap"><code>curl -i ${baseUrl}/api/v1/agent/purchase/AGENT

HTTP/1.1 402 Payment Required
WWW-Authenticate: Payment id="…", realm="…", method="evm", intent="charge", request="…", expires="…", opaque="…"

{"recipient": "0x…", "amount": "…", "network": "eip155:…", "token": "eip155:…/erc20:0x…"}</code></pre>
    <p>
      Pay, sign the claim with the wallet that paid, and repeat the request with both as proof. Clients that
      support the Payment scheme do this automatically:
    </p>
    <pre class="wrap"><code>curl -i ${baseUrl}/api/v1/agent/purchase/AGENT -H "Authorization: Payment PROOF"

HTTP/1.1 200 OK
Payment-Receipt: RECEIPT

{"success": true, "resource": "${baseUrl}/api/agents/deployments/…"}</code></pre>
    <p>Use the receipt to access what you bought:</p>
    <pre
      class="wrap"
    ><code>curl ${baseUrl}/api/agents/deployments/… -H "Payment-Receipt: RECEIPT"</code></pre>
    <p class="quiet">
      The same proof always returns the same agent and receipt. Keep the receipt secret: anyone who has it can
      use the agent.
    </p>
  </section>`
}
