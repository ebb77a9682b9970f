"""What people practise on: cards of their own mistakes."""
