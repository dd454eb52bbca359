import { html, layout, type Html } from '#platform/html.ts'
import { scopes as scopeWords, type Scope } from '#platform/scopes.ts'
import type { OwnTeam } from '#domains/identity/contract.ts'

/** A fault that must not redirect: it is shown to the person, who can only go back. */
export function faultPage(words: string, about: string): string {
  return layout(
    'This app cannot be connected',
    html`<h1>This app cannot be connected</h1>
      <p>${words}</p>
      <p class="quiet">
        Access was not granted. Go back to the app and try again. If this keeps happening, tell the developer
        of the app that something is wrong with ${about}.
      </p>`,
  )
}

export type Consent = {
  app: string
  vouched: string
  host: string
  user: { name: string; email: string }
  /** Where another person signs in and is asked the same. */
  elsewhere: string
  teams: OwnTeam[]
  team_id: string
  scopes: { name: Scope; possible: boolean; granted: boolean }[]
  pending: string
  fault?: string
}

/** Works without a script. Saying no is as easy as saying yes. */
export function consentPage({
  app,
  vouched,
  host,
  user,
  elsewhere,
  teams,
  team_id,
  scopes,
  pending,
  fault,
}: Consent): string {
  return layout(
    `Connect ${app}`,
    html`<h1>Allow ${app} to access Rapport?</h1>
      ${fault && html`<p class="fault" role="alert">${fault}</p>`}
      <form method="post" action="/api/oauth/consent">
        <input type="hidden" name="pending" value="${pending}" />
        <dl class="facts">
          <dt>App</dt>
          <dd><strong>${app}</strong><br /><span class="quiet">${vouched}</span></dd>
          <dt>Redirects to</dt>
          <dd><strong>${host}</strong></dd>
          <dt>Signed in as</dt>
          <dd>
            ${user.name}<br /><span class="quiet">${user.email}</span><br />
            <a href="${elsewhere}">Use another account</a>
          </dd>
          ${teamChoice(teams, team_id)}
        </dl>
        <fieldset>
          <legend>${app} wants to</legend>
          ${scopes.map(tick)}
        </fieldset>
        <div class="choices">
          <button name="decision" value="deny">Deny</button>
          <button name="decision" value="allow">Allow</button>
        </div>
      </form>
      <p class="quiet">You can revoke access at any time in Settings → Connected apps.</p>`,
  )
}

function teamChoice(teams: OwnTeam[], team_id: string): Html {
  if (teams.length === 1)
    return html`<dt>Team</dt>
      <dd>${teams[0]!.name}</dd>`
  return html`<dt><label for="team">Team</label></dt>
    <dd class="row">
      <select id="team" name="team">
        ${teams.map(({ id, name }) =>
          id === team_id
            ? html`<option value="${id}" selected>${name}</option>`
            : html`<option value="${id}">${name}</option>`,
        )}
      </select>
      <button class="plain" name="decision" value="switch">Switch</button>
    </dd>`
}

function tick({ name, possible, granted }: Consent['scopes'][number]): Html {
  const words = scopeWords[name]
  if (!possible) {
    return html`<label class="tick quiet">
      <input type="checkbox" disabled />
      <span>${words}<br /><small>Your role in this team does not allow it.</small></span>
    </label>`
  }
  return html`<label class="tick">
    <input type="checkbox" name="scope.${name}" checked />
    <span>${words}${granted ? html`<br /><small class="quiet">Already allowed</small>` : null}</span>
  </label>`
}
