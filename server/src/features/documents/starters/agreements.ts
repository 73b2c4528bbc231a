import type { MediatorType } from "@app/shared/regions";

const SIGNATURES = `
## Agreed and signed
Please sign only once you have read this, have asked what you wanted to ask, and have had the chance to take advice.
{each parties}
| Name/180 | Signature/260 | Date/120 |
| {{each.fullName}} | ___ | |
{end}
| Mediator/180 | Signature/260 | Date/120 |
| {{mediator.name}} | ___ | |
`;

const FAMILY = `
# Agreement to mediate
Between {{parties.names}} and {{mediator.name}} of {{practice.name}}. Our reference: {{case.reference}}. Date: {{today}}.
## 1. What mediation is
Mediation is a way of reaching decisions together, with the help of a mediator who takes no side. The decisions are yours. The mediator does not judge who is right, does not tell any of you what to do, and gives legal and financial information but no advice.
Each of you takes part of your own free will. Any of you, and the mediator, can bring mediation to an end at any time. The mediator will do so where going on would be unsafe or unfair.
## 2. What we ask of you
- to listen to each other and to let each other finish
- to give all the information that is needed for the decisions you want to make, and to keep it up to date
- to change nothing of importance about money, property or the children while you mediate, without talking about it here first
- to tell the mediator if you feel under pressure, unsafe, or unable to say what you need to say
## 3. Safety
Before mediation begins, and whenever something changes, the mediator asks each of you alone whether it is safe and suitable. If you cannot speak freely in one room, you can be seen apart or online. You can ask for that at any time, and you do not have to give a reason.
## 4. Confidentiality
What is said in mediation stays in mediation. The mediator tells nobody outside about it unless everybody who takes part agrees, a court orders it, or the law requires it.
There are exceptions. The mediator has to act where a child or an adult is at risk of serious harm, and where the law requires a report, such as of suspected money laundering. Where it is safe to do so, you will be told first.
What you say when you meet the mediator alone before mediation begins is private to you. {{agreement.confidences}}
## 5. Money and property
If you mediate about money or property, each of you gives full and honest information about your income, property, savings, pensions and debts, with papers that show it. This information is **open**: you can show it to your lawyers, and it can be used in court if you do not reach agreement. The mediator does not check whether it is complete.
## 6. Proposals
What you discuss and propose is **without prejudice**. It may not be told to a court, unless you all agree to that. What you have proposed at the end is written down in a memorandum of understanding. It does not bind you. You can have it made binding, usually by asking a court for an order that you all agree to.
## 7. Legal advice
The mediator acts for none of you. We recommend that each of you takes independent legal advice while you mediate, and before you make anything binding.
## 8. Children
Decisions about children are made with their welfare first. If it would help to hear what your children think and feel, the mediator can talk with you about it. That happens only if each parent and the child agree, and only with a mediator who is trained for it.
{if children}
This is about {{children.names}}.
{end}
## 9. Fees
The fees, and how they are shared between you, are set out in the letter about fees that comes with this agreement.
## 10. Records
We keep notes and papers securely, and for no longer than we have to. You can ask what we hold about you. The mediator’s notes are not made available to a court for any of you, and none of you will ask the mediator to give evidence.
## 11. If you are not content
Please tell the mediator first. If that does not put it right, ask us for our complaints procedure. It says to whom you can turn outside the practice.
${SIGNATURES}`;

const WORKPLACE = `
# Agreement to mediate
Between {{parties.names}} and {{mediator.name}} of {{practice.name}}. Our reference: {{case.reference}}. Date: {{today}}.
## 1. What mediation is
Mediation is a private conversation about a difficulty at work, led by a mediator who takes no side. It is not an investigation and not a disciplinary or grievance hearing. The mediator does not decide who is right.
Taking part is voluntary. Anybody can stop at any time, without giving a reason, and it will not be held against them in this process.
## 2. How it goes
1. The mediator meets each of you alone.
1. You then meet together, usually on one day, with time apart whenever somebody needs it.
1. If you agree on how you want to work together, you decide what is written down and who gets a copy.
## 3. What we ask of you
- to say what matters to you, and to listen to what matters to the others
- to treat what others say with respect, also where you see it differently
- not to record any of the meetings
- to have the authority, or to say so where you do not, for what you agree to
## 4. Confidentiality
What is said in mediation is confidential to those who take part. {{agreement.confidences}}
Your employer is told whether mediation takes place, and nothing of what is said. They get a copy of what you agreed only if all of you want that.
There are exceptions: where somebody is at risk of serious harm, or the law requires it, the mediator has to pass on what is needed. Where it is safe to do so, you will be told first.
## 5. Without prejudice
What is said and proposed in mediation is not to be used in a grievance, a disciplinary matter, a tribunal or a court. You agree not to call the mediator as a witness. This does not take away any right that the law gives you.
## 6. What you agree
What you agree is yours: it is usually an understanding made in good faith and not a contract. If you want it to be binding, take advice before you sign it.
## 7. Records
The mediator destroys rough notes after the mediation. We keep what we have to keep for our accounts and our records, securely.
## 8. If you are not content
Please tell the mediator first. If that does not put it right, ask us for our complaints procedure.
${SIGNATURES}`;

const CIVIL = `
# Agreement to mediate
Between {{parties.names}} (the parties) and {{mediator.name}} of {{practice.name}} (the mediator). Our reference: {{case.reference}}. Date: {{today}}.
## 1. The mediation
The parties will try in good faith to settle their dispute by mediation. The mediator is independent, takes no side, gives no legal advice and has no power to decide the dispute.
The parties agree on the day and the place with the mediator. They can meet together, in private rooms with the mediator, or online.
## 2. Authority
Each party takes part in person or by somebody who has full authority to settle. Whoever needs the consent of another, such as an insurer, says so before the day.
## 3. Before the day
Each party gives the mediator a short statement of its position and the papers that it relies on, at the latest seven days before the mediation. A party that marks a paper “for the mediator only” keeps it from the others.
## 4. Confidentiality
Everything that is said or written for the mediation is confidential and without prejudice, save where the law requires it to be disclosed, where that is needed to carry out or enforce a settlement, or where somebody is at risk of serious harm. Papers that could be disclosed anyway do not become confidential by being used here.
{{agreement.confidences}}
## 5. No evidence from the mediator
No party will call the mediator as a witness or ask for the mediator’s notes in any proceedings about the dispute.
## 6. Settlement
No settlement is binding until it is in writing and signed by or for each party. The parties’ own advisers, if they have any, draw it up.
## 7. Ending
Any party can withdraw at any time by saying so to the mediator. The mediator can end the mediation where it would serve no purpose or would be improper to go on.
## 8. Fees
The mediator’s fees and expenses are set out in the letter about fees. Unless the parties agree otherwise, they pay them in equal shares, and each bears its own costs.
## 9. Law
This agreement is subject to the law of the place in which the mediator practises. Legal proceedings can be brought or can go on while the parties mediate, unless they agree otherwise.
${SIGNATURES}`;

/** What people sign before they mediate. */
export function agreementText(kind: MediatorType): string {
  if (kind === "family") return FAMILY;
  return kind === "workplace" ? WORKPLACE : CIVIL;
}
