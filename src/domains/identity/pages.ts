import { html, layout, type Html } from '#platform/html.ts'
import { INVITATION_LIFE_DAYS } from './values.ts'

type Provider = { label: string; url: string }
type SignIn = { providers: Provider[]; return_to: string; signedInAs: string | undefined; fault?: string }

/** Only what is configured; and when nothing is, how to configure it. */
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
          <a href="${return_to}">Go on as this person</a
          >${providers.length > 0 ? ', or choose another:' : '.'}
        </p>`
      }
      ${providers.map(
        ({ label, url }) => html`<a class="button choice" href="${url}${suffix}">Continue with ${label}</a>`,
      )}
      ${
        providers.length > 0
          ? html`<p class="quiet">New here? Signing in makes your account.</p>`
          : signedInAs
            ? null
            : nothingConfigured()
      }`,
  )
}

function nothingConfigured(): Html {
  return html`<p>The operator of this installation can make a sign-in link:</p>
    <pre>npx rapport signin-link --email you@example.com</pre>
    <p class="quiet">Open the link it prints in this browser. It works once, within one hour.</p>
    <h2>Sign in with an account you have</h2>
    <p>Set the variables of one of these, and start Rapport again:</p>
    <dl>
      <dt>Google</dt>
      <dd><code>GOOGLE_CLIENT_ID</code>, <code>GOOGLE_CLIENT_SECRET</code></dd>
      <dt>GitHub</dt>
      <dd><code>GITHUB_CLIENT_ID</code>, <code>GITHUB_CLIENT_SECRET</code></dd>
      <dt>Microsoft</dt>
      <dd><code>ENTRA_CLIENT_ID</code>, <code>ENTRA_CLIENT_SECRET</code>, <code>ENTRA_TENANT</code></dd>
    </dl>`
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
      <p>A sign-in link works once, within one hour. Ask the operator for a new one:</p>
      <pre>npx rapport signin-link --email you@example.com</pre>`,
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
