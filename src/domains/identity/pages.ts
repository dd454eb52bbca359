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
          <a href="${return_to}">Continue with this account</a>, or choose another:
        </p>`
      }
      ${providers.map(
        ({ label, url }) => html`<a class="button choice" href="${url}${suffix}">Continue with ${label}</a>`,
      )}
      ${providers.length > 0 && html`<p class="quiet">New here? Signing in creates your account.</p>`}
      <form method="post" action="/signin" class="by-mail">
        <label for="email">${providers.length > 0 ? 'Or sign in with an email link' : 'Email'}</label>
        <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" />
        ${return_to !== '/' && html`<input type="hidden" name="return_to" value="${return_to}" />`}
        <button>Email me a sign-in link</button>
      </form>
      ${providers.length === 0 && !signedInAs && forOperators()}`,
  )
}

function forOperators(): Html {
  return html`<details>
    <summary>Are you the administrator?</summary>
    <p>Create a sign-in link for anyone, member or not:</p>
    <pre>npx rapport signin-link --email you@example.com</pre>
    <p class="quiet">Open the printed link in this browser. It can be used once and expires in one hour.</p>
    <p>To enable a sign-in provider, set its variables and restart Rapport:</p>
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
    'Check your email',
    html`<h1>Check your email</h1>
      <p>
        If <strong>${email}</strong> belongs to a member, a sign-in link is on its way. It can be used once
        and expires in ${MAILED_LINK_LIFE_MIN} minutes.
      </p>
      <p class="quiet">
        Nothing arrived? Check your spam folder, or <a href="${signInPath(return_to)}">try again</a>. Not a
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
      <p>A sign-in link can be used only once and expires soon.</p>
      <a class="button" href="/signin">Get a new one</a>`,
  )
}

type Invited = { email: string; team_name: string; inviter_name: string | null; role: string }

export function invitationPage({ email, team_name, inviter_name, role }: Invited): string {
  return layout(
    'Join a team',
    html`<h1>Join ${team_name}</h1>
      <p>
        ${inviter_name ?? 'An admin'} has invited <strong>${email}</strong> to join
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
        ${inviter_name ?? 'An admin'} has invited <strong>${email}</strong>, which already has an account
        here. Sign in with that account to join.
      </p>
      ${signedInAs && html`<p class="quiet">You are signed in as ${signedInAs}.</p>`}
      <a class="button" href="${signIn}">Sign in as ${email}</a>`,
  )
}

const roleWords: Record<string, string> = {
  SUPER_ADMIN: 'an owner (SUPER_ADMIN)',
  ADMIN: 'an admin',
  MEMBER: 'a member',
  VIEWER: 'a viewer',
}

export function usedInvitationPage(): string {
  return layout(
    'Invitation no longer valid',
    html`<h1>This invitation is no longer valid</h1>
      <p>
        Invitations can be used once within ${INVITATION_LIFE_DAYS} days and can be revoked. If you have
        already joined,
        <a href="/">go to Rapport</a>. Otherwise, ask for a new invitation.
      </p>`,
  )
}
