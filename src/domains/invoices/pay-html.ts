import { guestDocument } from '#platform/guest-page.ts'
import { html, type Html } from '#platform/html.ts'
import { unitsOf } from './amounts.ts'
import type { Invoice, Party } from './contract.ts'
import { assets } from './pay-assets.ts'
import type { PayState } from './public-contract.ts'
import { qrCode } from './qr.ts'
import { bankFacts, lineNet, plainNumber, shownDay, shownMoney, taxesByRate } from './shown.ts'
import { inGroups } from './values.ts'

export type PayPage = { token: string; invoice: Invoice; state: PayState; now: string }

/** Works without a script; with one, it updates when a payment arrives and accepts a proof of payment. */
export function payPage({ token, invoice, state, now }: PayPage): string {
  const seller = invoice.seller?.name ?? ''
  return sheet(
    `Invoice ${state.number}${seller && ` from ${seller}`}`,
    html`<header>
        <p class="seller">${seller}</p>
        <h1>Invoice ${state.number}</h1>
      </header>
      <div id="state" class="state ${state.status.toLowerCase()}" role="status">${standing(state, now)}</div>
      <p class="links"><a href="/i/${token}/pdf">Download as PDF</a></p>
      <div class="parts">
        <div id="pay" ${state.chain || state.bank ? null : html`hidden`}>
          ${state.bank && bankPart(state.bank, state)} ${state.chain && chainPart(state.chain, token)}
        </div>
        <div id="details">${details(invoice, state.bank === null)}</div>
      </div>`,
    token,
  )
}

/** For an address that leads to no invoice. */
export function absentPage(): string {
  return sheet(
    'Invoice not found',
    html`<h1>Invoice not found</h1>
      <p class="quiet">The link is incomplete or incorrect. Please ask the sender for a new one.</p>`,
  )
}

function sheet(title: string, body: Html, token?: string): string {
  const own = token === undefined ? { scripted: false } : { api: `/api/pay/${token}` }
  return guestDocument(assets, title, body, { secret: true, ...own })
}

/** The amount due and the status, in words. */
function standing({ status, due, amount, paid, currency, due_at, paid_at }: PayState, now: string): Html {
  const money = (text: string) => shownMoney(text, currency)
  const figure = (text: string, words: string) =>
    html`<p class="figure">${money(text)}</p>
      <p class="words">${words}</p>`
  if (status === 'VOID') return figure('0', 'Void: nothing is owed.')
  if (status === 'PAID') return figure(amount, `Paid${paid_at ? ` on ${shownDay(paid_at)}` : ''}. Thank you.`)
  const day =
    due_at && (due_at < now ? `It was due on ${shownDay(due_at)}.` : `Please pay by ${shownDay(due_at)}.`)
  const state =
    status === 'PARTIALLY_PAID' ? `Partially paid: ${money(paid)} received, the rest is still due.` : 'Open.'
  return figure(due, [state, day].filter(Boolean).join(' '))
}

function bankPart(bank: NonNullable<PayState['bank']>, state: PayState): Html {
  const facts = [
    ...bankFacts(bank),
    ['Amount', shownMoney(state.due, state.currency)],
    ['Reference', inGroups(state.payment_reference)],
  ] as const
  return html`<section class="box" aria-labelledby="bank-title">
    <h2 id="bank-title">Pay by bank transfer</h2>
    <dl class="terms">
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    <p class="quiet">Include the reference so that we can match your payment.</p>
  </section>`
}

function chainPart(chain: NonNullable<PayState['chain']>, token: string): Html {
  return html`<section class="box" aria-labelledby="pay-title">
    <h2 id="pay-title">Pay with a wallet</h2>
    <div class="code">${qrCode(chain.link, 'QR code to pay this amount with a wallet')}</div>
    <p class="act"><a class="button" href="${chain.link}">Open in a wallet</a></p>
    <dl class="terms">
      <dt>Token amount</dt>
      <dd>${chain.amount}</dd>
      <dt>Network</dt>
      <dd>${networkName(chain.network)}</dd>
      <dt>Token</dt>
      <dd><code>${lastOf(chain.token)}</code></dd>
      <dt>Recipient</dt>
      <dd><code>${chain.recipient}</code></dd>
    </dl>
    <h3>Already paid?</h3>
    <p class="quiet">
      Paste the transaction hash, then sign a short text with the wallet that paid, to confirm that it was for
      this invoice.
    </p>
    <p class="quiet needs-script">
      This requires JavaScript, which is off in this browser. Send the seller your transaction hash instead.
    </p>
    <form id="prove" action="/i/${token}" hidden>
      <label for="hash">Transaction hash</label>
      <input
        id="hash"
        name="hash"
        autocomplete="off"
        spellcheck="false"
        placeholder="0x…"
        aria-describedby="told"
      />
      <div id="sign" hidden>
        <p class="act"><button type="button" id="wallet" hidden>Sign with this browser's wallet</button></p>
        <details>
          <summary>Sign somewhere else</summary>
          <label for="text">Sign this text with the wallet that paid</label>
          <textarea id="text" rows="9" readonly spellcheck="false"></textarea>
          <label for="payer">Wallet address</label>
          <input id="payer" name="payer" autocomplete="off" spellcheck="false" placeholder="0x…" />
          <label for="signature">Signature</label>
          <input id="signature" name="signature" autocomplete="off" spellcheck="false" placeholder="0x…" />
          <p class="act"><button type="submit">Submit proof</button></p>
        </details>
      </div>
      <p id="told" role="alert"></p>
    </form>
  </section>`
}

/** The reference is shown with the bank details, if there are any. */
function details(invoice: Invoice, referenced: boolean): Html {
  const { seller, customer, lines, currency, issued_at, due_at, note, payment_reference } = invoice
  const facts = [
    ['Issued', issued_at && shownDay(issued_at)],
    ['Due', due_at && shownDay(due_at)],
    ['Reference', referenced && payment_reference && inGroups(payment_reference)],
  ] as const
  return html`<section class="parties" aria-label="Seller and customer">
      ${party('From', seller)} ${party('To', customer)}
      <dl>
        ${facts.map(([name, value]) =>
          value
            ? html`<dt>${name}</dt>
                <dd>${value}</dd>`
            : html``,
        )}
      </dl>
    </section>
    <table>
      <caption class="aside">
        What is billed
      </caption>
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col" class="number">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          line =>
            html`<tr>
              <td>
                ${line.description}
                <span class="quiet"
                  >${plainNumber(line.quantity)} × ${shownMoney(line.unit_price, currency)},
                  ${plainNumber(line.tax_percent)}% tax</span
                >
              </td>
              <td class="number">${shownMoney(lineNet(line, currency), currency)}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        ${sums(invoice).map(
          ([name, value, strong]) =>
            html`<tr ${strong && html`class="strong"`}>
              <th scope="row">${name}</th>
              <td class="number">${shownMoney(value, currency)}</td>
            </tr>`,
        )}
      </tfoot>
    </table>
    ${note && html`<p class="lines note">${note}</p>`}`
}

function sums(invoice: Invoice): [name: string, value: string, strong: boolean][] {
  const { lines, currency, subtotal, amount, paid, written_off, due, status } = invoice
  const taxes = taxesByRate(lines, currency)
  const rows: [string, string, boolean][] = []
  if (taxes.length > 0) rows.push(['Subtotal', subtotal, false])
  for (const { percent, net, tax } of taxes)
    rows.push([`Tax ${percent}% of ${shownMoney(net, currency)}`, tax, false])
  rows.push(['Total', amount, true])
  if (unitsOf(paid) > 0n) rows.push(['Paid', paid, false])
  if (unitsOf(written_off) > 0n) rows.push(['Waived', written_off, false])
  if (status !== 'VOID') rows.push(['Due', due, true])
  return rows
}

function party(title: string, who: Party | null): Html {
  if (!who) return html``
  const rest = [who.address, who.email, who.tax_id && `Tax ID ${who.tax_id}`].filter(Boolean).join('\n')
  return html`<div>
    <h2>${title}</h2>
    <p><strong>${who.name}</strong></p>
    <p class="lines">${rest}</p>
  </div>`
}

/** The networks that people know by a name. */
const networks: Record<string, string> = {
  'eip155:1': 'Ethereum',
  'eip155:10': 'OP Mainnet',
  'eip155:137': 'Polygon',
  'eip155:8453': 'Base',
  'eip155:42161': 'Arbitrum One',
  'eip155:84532': 'Base Sepolia',
  'eip155:11155111': 'Sepolia',
}

function networkName(network: string): string {
  const name = networks[network]
  return name ? `${name} (${network})` : network
}

function lastOf(token: string): string {
  return token.slice(token.lastIndexOf(':') + 1)
}
