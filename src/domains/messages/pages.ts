import { html, layout, type Html } from '#platform/html.ts'

/** What a recipient sees of us. `sender` is the name the mails came under, where the team has given one. */
type Recipient = { address: string; sender: string | null }

/** A question, not an answer: mail scanners that open every link unsubscribe nobody. */
export function unsubscribePage({ address, sender }: Recipient): string {
  return layout(
    'Unsubscribe',
    html`<h1>Unsubscribe?</h1>
      <p>${from(sender)} will no longer email <strong>${masked(address)}</strong>.</p>
      <form method="post"><button autofocus>Unsubscribe</button></form>`,
  )
}

export function unsubscribedPage({ address, sender }: Recipient, { mayUndo }: { mayUndo: boolean }): string {
  return layout(
    'Unsubscribed',
    html`<h1>You are unsubscribed</h1>
      <p role="status">${from(sender)} will no longer email <strong>${masked(address)}</strong>.</p>
      ${
        mayUndo &&
        html`<form method="post">
          <input type="hidden" name="undo" value="1" />
          <p class="quiet">Was this a mistake?</p>
          <button class="plain">Subscribe again</button>
        </form>`
      }`,
  )
}

export function resubscribedPage({ address, sender }: Recipient): string {
  return layout(
    'Subscribed again',
    html`<h1>You are subscribed again</h1>
      <p role="status">${from(sender)} can email <strong>${masked(address)}</strong> again.</p>
      <form method="post"><button class="plain">Unsubscribe</button></form>`,
  )
}

export function absentSubscriptionPage(): string {
  return layout(
    'Link not valid',
    html`<h1>This link is incomplete</h1>
      <p>
        Some email clients break long links. Try the link in the email again, or reply to it to unsubscribe.
      </p>`,
  )
}

export function absentLinkPage(): string {
  return layout(
    'Link not valid',
    html`<h1>This link is not valid</h1>
      <p>It may have been broken in transit. Try the link in the email again, or ask the sender.</p>`,
  )
}

function from(sender: string | null): Html {
  return sender ? html`<strong>${sender}</strong>` : html`The sender`
}

/** Enough for its owner to know it by, and too little for anybody else to write to. */
export function masked(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 1) return '…'
  const name = address.slice(0, at)
  return `${name[0]}…${name.length > 3 ? name.at(-1) : ''}${address.slice(at)}`
}
