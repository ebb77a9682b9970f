"use strict";
const button = document.getElementById("redeem");
const told = document.getElementById("told");
button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    const answer = await fetch(button.dataset.to, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang },
      body: JSON.stringify({ secret: location.hash.slice(1) }),
    });
    history.replaceState(null, "", location.pathname);
    told.textContent = answer.ok ? told.dataset.done : (await answer.json()).error.message;
  } catch {
    told.textContent = told.dataset.failed;
    button.disabled = false;
  }
});
