import { html, layout, type Html } from '#platform/html.ts'
import { signInPath } from './return-to.ts'
import { INVITATION_LIFE_DAYS, MAILED_LINK_LIFE_MIN } from './values.ts'

type Provider = { label: string; url: string }
type SignIn = { providers: Provider[]; return_to: string; signedInAs: string | undefined; fault?: string }

/** By an account elsewhere, where that is configured, or by a link in a mail. */
export function signInPage({ providers, return_to, signedInAs, fault }: SignIn): string {
  const suffix = return_to === '/' ? '' : `?return_to=${encodeURIComponent(return_to)}`
  return layout(
    'Sign in',
    html`<h1>Sign in to Rapport</h1>
      ${fault && html`<p class="fault" role="alert">${fault}</p>`}
      ${
        signedInAs &&
        html`<p>
          You are signed in as <strong>${signedInAs}</strong>.
          <a href="${return_to}">Go on as this person</a>, or choose another:
        </p>`
      }
      ${providers.map(
        ({ label, url }) => html`<a class="button choice" href="${url}${suffix}">Continue with ${label}</a>`,
      )}
      ${providers.length > 0 && html`<p class="quiet">New here? Signing in makes your account.</p>`}
      <form method="post" action="/signin" class="by-mail">
        <label for="email">${providers.length > 0 ? 'Or have a link mailed to you' : 'E-mail'}</label>
        <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" />
        ${return_to !== '/' && html`<input type="hidden" name="return_to" value="${return_to}" />`}
        <button>Mail me a sign-in link</button>
      </form>
      ${providers.length === 0 && !signedInAs && forOperators()}`,
  )
}

function forOperators(): Html {
  return html`<details>
    <summary>Do you run this installation?</summary>
    <p>Make a link for anybody, members or not:</p>
    <pre>npx rapport signin-link --email you@example.com</pre>
    <p class="quiet">Open the link it prints in this browser. It works once, within one hour.</p>
    <p>To sign in with an account elsewhere, set the variables of one of these, and start Rapport again:</p>
    <dl>
      <dt>Google</dt>
      <dd><code>GOOGLE_CLIENT_ID</code>, <code>GOOGLE_CLIENT_SECRET</code></dd>
      <dt>GitHub</dt>
      <dd><code>GITHUB_CLIENT_ID</code>, <code>GITHUB_CLIENT_SECRET</code></dd>
      <dt>Microsoft</dt>
      <dd><code>ENTRA_CLIENT_ID</code>, <code>ENTRA_CLIENT_SECRET</code>, <code>ENTRA_TENANT</code></dd>
    </dl>
  </details>`
}

/** The same whether or not the address is a member's. */
export function linkMailedPage(email: string, return_to: string): string {
  return layout(
    'Check your mail',
    html`<h1>Check your mail</h1>
      <p>
        If <strong>${email}</strong> belongs to a member, a sign-in link is on its way there. It works once,
        within ${MAILED_LINK_LIFE_MIN} minutes.
      </p>
      <p class="quiet">
        Nothing there? Check your spam folder, or <a href="${signInPath(return_to)}">try again</a>. Not a
        member yet? Ask a colleague to invite you.
      </p>`,
  )
}

/** A button, not an automatic sign-in: scanners that open every link in a mail use nothing up. */
export function linkPage(email: string): string {
  return layout(
    'Sign in',
    html`<h1>Sign in to Rapport</h1>
      <p>You are about to sign in as <strong>${email}</strong>.</p>
      <form method="post"><button autofocus>Sign in</button></form>`,
  )
}

export function usedLinkPage(): string {
  return layout(
    'Link no longer valid',
    html`<h1>This link is no longer valid</h1>
      <p>A sign-in link works once, and not for long.</p>
      <a class="button" href="/signin">Get a new one</a>`,
  )
}

type Invited = { email: string; team_name: string; inviter_name: string | null; role: string }

export function invitationPage({ email, team_name, inviter_name, role }: Invited): string {
  return layout(
    'Join a team',
    html`<h1>Join ${team_name}</h1>
      <p>
        ${inviter_name ?? 'An administrator'} invites <strong>${email}</strong> to join
        <strong>${team_name}</strong> as ${roleWords[role] ?? role}.
      </p>
      <form method="post"><button autofocus>Join the team</button></form>`,
  )
}

/** The address has an account: its owner joins as who it is. */
export function signInFirstPage(
  { email, team_name, inviter_name }: Invited,
  signedInAs: string | undefined,
  signIn: string,
): string {
  return layout(
    'Join a team',
    html`<h1>Join ${team_name}</h1>
      <p>
        ${inviter_name ?? 'An administrator'} invites <strong>${email}</strong>, who has an account here
        already. Sign in as that person, and join then.
      </p>
      ${signedInAs && html`<p class="quiet">You are signed in as ${signedInAs}.</p>`}
      <a class="button" href="${signIn}">Sign in as ${email}</a>`,
  )
}

const roleWords: Record<string, string> = {
  SUPER_ADMIN: 'an owner (SUPER_ADMIN)',
  ADMIN: 'an administrator',
  MEMBER: 'a member',
  VIEWER: 'a viewer',
}

export function usedInvitationPage(): string {
  return layout(
    'Invitation no longer valid',
    html`<h1>This invitation is no longer valid</h1>
      <p>
        It works once, within ${INVITATION_LIFE_DAYS} days, and can be taken back. If you joined already,
        <a href="/">go to Rapport</a>; else ask whoever invited you to send it again.
      </p>`,
  )
}
